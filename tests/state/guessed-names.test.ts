/** What the suite guesses by names, and lawful servers that contradict it: a guess accuses nobody. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

type Instance = Readonly<Record<string, unknown>>

type Style = {
  /** The parameter of the path. */
  readonly parameter?: string
  /** The property by which the path finds a resource. */
  readonly key?: string
  /** What the server makes of what it is sent, and what it shows. */
  readonly keep?: (sent: Instance, number: number) => Instance
  /** What creating and replacing answer; nothing: they are silent. */
  readonly answers?: (kept: Instance) => Instance
  /** What removing makes of a resource; nothing: it is gone. */
  readonly remove?: (kept: Instance) => Instance
  readonly properties?: Instance
  /** What each change in part changes by itself. */
  readonly counted?: (kept: Instance) => Instance
  readonly hasLocation?: boolean
}

const text = { type: 'string' }
const json = (schema: object) => ({ 'application/json': { schema } })

const documentOf = ({ parameter = 'thing', answers, properties = {} }: Style) => {
  const sent = { name: { type: 'string', minLength: 1, maxLength: 40 }, note: text, ...properties }
  const instance = { type: 'object', required: ['name'], properties: { id: { type: 'integer' }, ...sent } }
  const body = {
    required: true,
    content: json({ type: 'object', required: Object.keys(sent), properties: sent }),
  }
  const done = {
    description: 'done',
    ...(answers === undefined ? {} : { content: json({ type: 'object' }) }),
  }
  const shown = { description: 'ok', content: json(instance) }
  const failures = Object.fromEntries([400, 404].map(status => [status, { description: 'rejected' }]))
  const named = { name: parameter, in: 'path', required: true, schema: text }
  return documentWith({
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: { description: 'ok', content: json({ type: 'array', items: instance }) },
          ...failures,
        },
      },
      post: {
        operationId: 'createThing',
        requestBody: body,
        responses: { 201: { ...done, headers: { Location: { schema: text } } }, ...failures },
      },
    },
    [`/things/{${parameter}}`]: {
      parameters: [named],
      get: { operationId: 'getThing', responses: { 200: shown, ...failures } },
      put: { operationId: 'putThing', requestBody: body, responses: { 200: done, ...failures } },
      patch: {
        operationId: 'changeThing',
        requestBody: { required: true, content: json({ type: 'object', properties: sent }) },
        responses: { 200: done, ...failures },
      },
      delete: { operationId: 'removeThing', responses: { 204: { description: 'gone' }, ...failures } },
    },
  })
}

const startInstances = async (style: Style): Promise<string> => {
  const {
    key = 'id',
    keep = (sent: Instance): Instance => sent,
    answers,
    remove,
    hasLocation = key === 'id',
    counted,
  } = style
  const instances = new Map<string, Instance>()
  let count = 0
  const server = createServer(async (request, response) => {
    const answer = (status: number, value?: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const sent = Buffer.concat(await request.toArray()).toString()
    const path = (request.url ?? '').split('?')[0] ?? ''
    const name = decodeURIComponent(/^\/things\/(.+)$/.exec(path)?.[1] ?? '')
    const read = (): Instance | null => {
      try {
        const body = JSON.parse(sent)
        const isNamed = request.method === 'PATCH' || typeof body.name === 'string'
        return typeof body === 'object' && body !== null && isNamed ? body : null
      } catch {
        return null
      }
    }
    if (path === '/things' && request.method === 'GET') return answer(200, [...instances.values()])
    if (path === '/things' && request.method === 'POST') {
      const body = read()
      if (body === null) return answer(400, {})
      count += 1
      const kept = { id: count, ...keep(body, count) } as Instance
      const at = String(kept[key])
      instances.set(at, kept)
      return answer(201, answers?.(kept), hasLocation ? { Location: `/things/${at}` } : {})
    }
    const found = instances.get(name)
    if (found === undefined) return answer(404, {})
    if (request.method === 'GET') return answer(200, found)
    if (request.method === 'DELETE') {
      if (remove === undefined) instances.delete(name)
      else instances.set(name, remove(found))
      response.writeHead(204).end()
      return
    }
    const body = read()
    if (body === null) return answer(400, {})
    const kept =
      request.method === 'PATCH'
        ? {
            ...found,
            ...keep({ ...found, ...body }, Number(found.id)),
            ...counted?.(found),
            [key]: found[key],
          }
        : { ...keep(body, Number(found.id)), id: found.id, [key]: found[key] }
    instances.set(name, kept)
    answer(200, answers?.(kept))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

const verdictsOf = async (style: Style) => {
  const contract = await loadContract({ from: writeDocument('things.json', documentOf(style)) })
  const { entries } = await verify({
    contract,
    target: await startInstances(style),
    seed: 1,
    sustained: 0,
    include: ['*'],
    only: ['*/state', '*/request/valid'],
  })
  return entries
}

const all = (kept: Instance): Instance => kept
const lawful: readonly (readonly [string, Style])[] = [
  ['the path takes the name, and the response has an id that is none', { key: 'name', answers: all }],
  ['trimmed text, silently', { keep: ({ note, ...sent }) => ({ ...sent, note: String(note).trim() }) }],
  [
    'a lower-case e-mail, silently',
    {
      properties: { mail: { type: 'string', pattern: '^[A-Z]{3}@example\\.org$' } },
      keep: sent => ({ ...sent, mail: String(sent.mail).toLowerCase() }),
    },
  ],
  [
    'a slug that the server makes, silently',
    { properties: { slug: text }, keep: (sent, number) => ({ ...sent, slug: `thing-${number}` }) },
  ],
  [
    'a total that it computes, silently',
    { properties: { sum: { type: 'integer' } }, keep: sent => ({ ...sent, sum: 987654 }) },
  ],
  [
    'a count of changes, of an unknown name',
    {
      properties: { stand: { type: 'integer', minimum: 0, maximum: 1000 } },
      answers: all,
      counted: ({ stand }) => ({ stand: Number(stand) + 1 }),
    },
  ],
  [
    'a mark of an unknown name instead of removal',
    { answers: all, remove: kept => ({ ...kept, weg: true }) },
  ],
]

test.each(lawful)('%s: nothing that is required fails', async (_name, style) => {
  const entries = await verdictsOf(style)
  const failed = entries.filter(
    ({ obligation, verdict }) => obligation.level === 'MUST' && verdict.kind === 'failed',
  )
  expect(failed.map(({ obligation }) => obligation.id)).toEqual([])
})

const reasonOf = async (style: Style, id: string): Promise<string> => {
  const found = (await verdictsOf(style)).find(({ obligation }) => obligation.id === id)?.verdict
  return found !== undefined && 'reason' in found ? `${found.kind}: ${found.reason}` : String(found?.kind)
}

test.each<readonly [string, number, string, string]>([
  [
    'an identity that names nothing',
    0,
    'createThing/state/read-back',
    'untested: getThing finds nothing by the `id` of what was created.*declare a link',
  ],
  // What the list shows under another name is found by that.
  ['an identity that names nothing', 0, 'getThing/request/valid', 'passed'],
  [
    'a slug',
    3,
    'createThing/state/stored',
    'untested: `slug` is not read as it was sent.*declare it readOnly',
  ],
  [
    'a mark',
    6,
    'removeThing/state/gone',
    'untested: the removed thing is still found, with another value of `weg`.*404',
  ],
])('%s (%#): what is not known is untested, with a way out', async (_name, index, id, reason) => {
  expect(await reasonOf(lawful[index]?.[1] as Style, id)).toMatch(new RegExp(`^${reason}`))
})

const lost = (sent: Instance): Instance => ({ ...sent, note: 'lost' })

test.each<readonly [string, Style, string]>([
  [
    'nothing of what was sent is kept',
    { keep: () => ({ name: 'lost', note: 'lost' }) },
    'createThing/state/stored',
  ],
  [
    'the response shows what is not read',
    { keep: lost, answers: kept => ({ ...kept, note: undefined, name: 'other' }) },
    'createThing/state/stored',
  ],
  ['what is removed stays as it was', { answers: all, remove: all }, 'removeThing/state/gone'],
  [
    'of many things that are found by their id, some are not',
    { answers: kept => (Number(kept.id) % 3 === 0 ? { ...kept, id: 9e6 } : kept), hasLocation: false },
    'createThing/state/read-back',
  ],
])('a fault stays one: %s', async (_name, style, id) => {
  const entries = await verdictsOf(style)
  expect(entries.find(({ obligation }) => obligation.id === id)?.verdict.kind).toBe('failed')
})
