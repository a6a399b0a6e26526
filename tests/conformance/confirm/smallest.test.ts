/** A finding has the smallest request that shows it, and blames what makes the difference. */
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../spec/index.ts'
import { type Asked, createInstance, shown, verifyAnswering } from '../judge/answering.ts'

const text = { type: 'string' }
const properties = {
  name: text,
  note: text,
  size: { type: 'integer' },
  tags: { type: 'array', items: text },
  box: { type: 'object', properties: { colour: text, depth: { type: 'integer' } } },
}
const document = createInstance(
  { type: 'object', required: ['name'], properties },
  { 201: shown({}), 400: shown({}) },
)

type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isInteger = (value: unknown): boolean => value === undefined || Number.isInteger(value)
const isValid = ({ name, note, size, tags, box }: Body): boolean =>
  [typeof name === 'string', isText(note), isInteger(size)].every(Boolean) &&
  (tags === undefined || (Array.isArray(tags) && tags.every(tag => typeof tag === 'string'))) &&
  (box === undefined || (isObject(box) && isText(box.colour) && isInteger(box.depth)))

const read = ({ body, headers }: Asked): Body | null => {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return null
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** What a store tells of these obligations that is lawful but for a status that it gives some requests; null: as it should be. */
const findingsOf = async (
  only: readonly string[],
  fault: (body: Body, asked: Asked) => number | null,
): Promise<readonly Finding[]> => {
  const { findings } = await verifyAnswering(
    document,
    asked => {
      const body = read(asked)
      const status = body === null ? null : fault(body, asked)
      return { status: status ?? (body !== null && isValid(body) ? 201 : 400), body: {} }
    },
    { only: only.map(name => `createThing/${name}`), cases: 500 },
  )
  return findings
}

const bodyOf = ({ request }: Finding): unknown => JSON.parse(request.body?.data ?? '0')
const has = (value: unknown, part: string): boolean => typeof value === 'string' && value.includes(part)

describe('the body of a crash is', () => {
  test.each<[string, string, (body: Body) => boolean, unknown]>([
    [
      'the value with what has to be there for a valid request',
      'request/body/note/quotes',
      ({ note }) => has(note, '"'),
      { name: '', note: '"double"' },
    ],
    [
      'of any size if the size makes the difference',
      'request/body/note/long-255',
      ({ note }) => typeof note === 'string' && note.length > 200,
      { name: '', note: expect.stringMatching(/^.{201,255}$/s) },
    ],
    [
      'with the wrong value and no other',
      'request/body/size/type/string',
      ({ size }) => typeof size === 'string',
      { name: '', size: '' },
    ],
    [
      'with a wrong value inside an object',
      'request/body/box/depth/type/string',
      ({ box }) => isObject(box) && typeof box.depth === 'string',
      { name: '', box: { depth: '' } },
    ],
    ['empty if a property is missing', 'request/body/name/required', ({ name }) => name === undefined, {}],
  ])('%s', async (_name, obligation, isFault, body) => {
    const findings = await findingsOf([obligation], each => (isFault(each) ? 500 : null))
    expect(findings.map(each => [each.obligation, bodyOf(each)])).toEqual([
      [`createThing/${obligation}`, body],
    ])
    expect(findings[0]?.repeat).toBe('steady')
  })
})

describe('what a valid request is rejected for is', () => {
  const told = async (
    only: readonly string[],
    fault: (body: Body, asked: Asked) => number | null,
  ): Promise<readonly string[]> =>
    (await findingsOf(only, (body, asked) => (isValid(body) ? fault(body, asked) : null))).map(
      ({ obligation, title }) => `${obligation.replace('createThing/', '')}: ${title}`,
    )
  const accepted = [
    'request/valid',
    'request/body/note',
    'request/body/size',
    'request/layout',
    'request/framing',
  ]

  test.each<[string, (body: Body, asked: Asked) => number | null, readonly string[]]>([
    [
      'an optional property that the store requires',
      ({ note }) => (note === undefined ? 400 : null),
      ['request/valid: requires `note`, which the document calls optional'],
    ],
    [
      'one without which it crashes',
      ({ note }) => (note === undefined ? 500 : null),
      ['request/valid: answered 500 without `note`, which the document calls optional'],
    ],
    [
      'the text that its case is about',
      ({ note }) => (has(note, '%') ? 400 : null),
      [expect.stringContaining('request/body/note/percent: ') as unknown as string],
    ],
    [
      'the way in which it is sent',
      (_, { headers }) => (headers['transfer-encoding'] === undefined ? null : 411),
      [expect.stringContaining('request/framing/chunked: ') as unknown as string],
    ],
  ])('%s', async (_name, fault, findings) => {
    expect(await told(accepted, fault)).toEqual(findings)
  })
})

describe('a creation that is answered in another way if it comes again', () => {
  const percent = 'request/body/note/percent'

  test('is sent with other values: a store that keeps what it crashes on crashes on these as well', async () => {
    const kept = new Set<string>()
    const findings = await findingsOf([percent], ({ note }, { body }) => {
      const isFirst = !kept.has(body)
      kept.add(body)
      return isFirst && has(note, '%') ? 500 : null
    })
    expect(findings.map(({ obligation, repeat }) => [obligation, repeat])).toEqual([
      [`createThing/${percent}`, 'steady'],
    ])
  })

  test('is no steady failure if these are accepted', async () => {
    let crashes = 0
    const findings = await findingsOf([percent], ({ note }) =>
      has(note, '%') && crashes++ === 0 ? 500 : null,
    )
    expect(findings.map(({ repeat }) => repeat)).not.toContain('steady')
  })
})

describe('statuses that the document does not declare', () => {
  const only = ['request/valid', 'request/body/note', 'request/body/size', 'response/declared']
  const told = async (fault: (body: Body) => number | null) =>
    (await findingsOf(only, body => (isValid(body) ? fault(body) : null)))
      .map(({ obligation, outcome }) => [
        obligation.replace('createThing/', ''),
        outcome.kind === 'response' ? outcome.status : 0,
      ])
      .toSorted()

  test('of kinds of requests are told of these kinds', async () => {
    expect(await told(({ note, size }) => (has(note, '%') ? 418 : Number(size) < 0 ? 451 : null))).toEqual([
      ['request/body/note/percent', 418],
      ['request/body/size/minus-one', 451],
    ])
  })

  test('of any success are told one by one', async () => {
    expect(await told(({ size }) => (size === undefined ? 202 : 203))).toEqual([
      ['response/declared', 202],
      ['response/declared', 203],
    ])
  })
})
