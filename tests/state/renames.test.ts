/** Stores that name a resource by a part of what it is, so that an update gives it another name. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const properties = { name: { type: 'string', minLength: 1 }, colour: { type: 'string' } }
const label = { type: 'object', required: ['name'], properties }
const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const shown = json({
  ...label,
  required: ['id', 'name'],
  properties: { ...properties, id: { type: 'string' } },
})
const failure = json(
  { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
  'no',
)
const failures = { 400: failure, 409: failure }
const requestBody = { required: true, content: { 'application/json': { schema: label } } }

type Kind = {
  readonly method: 'put' | 'patch'
  /** The status of an update; with a body, it shows the resource. */
  readonly status: 200 | 204
  readonly idOf: (name: string) => string
}

const documentOf = ({ method, status }: Kind): string =>
  documentWith({
    '/labels': {
      post: { operationId: 'createLabel', requestBody, responses: { 201: shown, ...failures } },
    },
    '/labels/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getLabel', responses: { 200: shown, 400: failure, 404: failure } },
      [method]: {
        operationId: 'changeLabel',
        requestBody,
        responses: {
          [status]: status === 200 ? shown : { description: 'changed' },
          ...failures,
          404: failure,
        },
      },
      delete: {
        operationId: 'removeLabel',
        responses: { 204: { description: 'gone' }, 400: failure, 404: failure },
      },
    },
  })

/** As routers make them: short texts of letters and digits stay readable. */
const plain = (name: string): string =>
  /^[\w -]{1,60}$/.test(name)
    ? name.toLowerCase().replaceAll(/\W/g, '-')
    : createHash('sha256').update(name).digest('hex').slice(0, 20)
const prefixed = (name: string): string => `label-${plain(name)}`

test.each<[string, Kind, number]>([
  ['PUT shows it', { method: 'put', status: 200, idOf: plain }, 1],
  ['PUT shows nothing', { method: 'put', status: 204, idOf: prefixed }, 1],
  ['PATCH shows it', { method: 'patch', status: 200, idOf: prefixed }, 2],
  ['PATCH shows nothing', { method: 'patch', status: 204, idOf: plain }, 2],
])('an update that gives another name is no fault: %s', async (_name, kind, seed) => {
  const labels = new Map<string, { readonly name: string }>([['theirs', { name: 'theirs' }]])
  const url = await startJsonServer(({ method, path: [kinds, id, more], sent, answer }) => {
    const reject = (status: number): void => answer(status, { reason: 'no' })
    if (kinds !== 'labels' || more !== undefined) return reject(404)
    const allowed = id === undefined ? ['POST'] : ['GET', 'DELETE', kind.method.toUpperCase()]
    if (!allowed.includes(method)) return reject(405)
    const known = id === undefined ? undefined : labels.get(id)
    if (id !== undefined && known === undefined) return reject(404)
    if (method === 'GET') return answer(200, { id, ...known })
    if (method === 'DELETE') {
      labels.delete(id as string)
      return answer(204)
    }
    const { name, colour } = sent ?? {}
    if (typeof name !== 'string' || name === '') return reject(400)
    if (colour !== undefined && typeof colour !== 'string') return reject(400)
    const next = kind.idOf(name)
    if (next !== id && labels.has(next)) return reject(409)
    if (id !== undefined) labels.delete(id)
    labels.set(next, { name, ...(colour === undefined ? {} : { colour }) })
    if (id !== undefined && kind.status === 204) return answer(204)
    answer(id === undefined ? 201 : 200, { id: next, ...labels.get(next) })
  })
  const contract = await loadContract({ from: writeDocument('labels.json', documentOf(kind)) })
  const { entries, findings } = await verify({ contract, target: url, seed, sustained: 0, cases: 800 })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([])
  const passed = new Set(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  )
  for (const operation of ['createLabel', 'getLabel', 'changeLabel', 'removeLabel'])
    expect(passed).toContain(`${operation}/request/valid`)
  expect(labels.has('theirs')).toBe(true)
  // What an update has renamed without saying it, nobody can name.
  if (kind.status === 200) expect([...labels.keys()]).toEqual(['theirs'])
})
