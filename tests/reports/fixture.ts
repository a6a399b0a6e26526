import type {
  EndEvent,
  ExchangeEvent,
  Family,
  Finding,
  Level,
  NoteEvent,
  RecordedClause,
  RecordedObligation,
  RecordedOutcome,
  RecordedRequest,
  RunEvent,
  StartEvent,
  Verdict,
} from '../../spec/index.ts'

const promises: readonly (readonly [
  id: string,
  family: Family,
  level: Level,
  promise: string,
  line: number,
])[] = [
  ['request/body/valid', 'accept', 'MUST', 'a valid NewPlant is answered with a declared success', 14],
  ['request/body/id/int64-max', 'accept', 'MUST', '9223372036854775807 is accepted as id', 50],
  ['request/body/id/int64-min', 'accept', 'MUST', '-9223372036854775808 is accepted as id', 50],
  ['request/body/name/empty', 'accept', 'SHOULD', 'an empty name is accepted', 36],
  ['request/body/name/nul', 'accept', 'SHOULD', 'a name with NUL in it is accepted', 36],
  ['request/body/tag/absent', 'accept', 'MUST', 'a body without tag is accepted', 34],
  ['request/body/id/required', 'refuse', 'MUST', 'a body without id is refused with a declared failure', 46],
  ['request/body/id/type', 'refuse', 'MUST', 'NewPlant.id is an integer', 49],
  [
    'request/body/name/required',
    'refuse',
    'MUST',
    'a body without name is refused with a declared failure',
    33,
  ],
  ['request/body/name/type', 'refuse', 'MUST', 'Plant.name is a string', 37],
  [
    'request/body/malformed',
    'refuse',
    'MUST',
    'a body that is not JSON is refused with a declared failure',
    15,
  ],
  ['auth/none', 'bearer', 'MUST', 'a request without credentials is refused with a declared failure', 28],
  ['auth/wrong-scheme', 'bearer', 'MUST', '`Basic …` is refused with a declared failure', 28],
  ['auth/empty-token', 'bearer', 'MUST', '`Bearer` without a token is refused with a declared failure', 28],
  ['auth/lower-case', 'bearer', 'MUST', 'the scheme is taken in any case', 28],
  ['response/200/body', 'answer', 'MUST', 'every 200 carries a Plant', 20],
  ['response/400/body/error/format', 'answer', 'MUST', '`error` is an int32', 58],
  ['response/200/echo/name', 'answer', 'SHOULD', 'the Plant answered carries the name that was sent', 20],
  ['load/concurrent', 'load', 'MUST', 'promises are kept with 32 requests in flight', 10],
  ['open/duplicate-id', 'open', 'OBSERVE', 'what a second plant with the same id is answered', 44],
  ['open/undeclared-property', 'open', 'OBSERVE', 'what an undeclared property does', 44],
]

const rules: Readonly<Record<string, string>> = { bearer: 'rule 3 · RFC 6750, 2.1' }

export const obligations: readonly RecordedObligation[] = promises.map(
  ([id, family, level, promise, line]) => ({
    id: `createPlant/${id}`,
    operation: 'createPlant',
    family,
    level,
    promise,
    clause: {
      pointer: `/paths/~1plants/post`,
      place: { file: 'plant-store.openapi.yaml', line, pointer: '/paths/~1plants/post' },
      rule: rules[family] ?? null,
    },
  }),
)

export const clauses: readonly RecordedClause[] = [
  {
    id: 'new-plant/id',
    at: 'Resources and their fields, NewPlant',
    text: 'id: integer, int64, required.',
    obligations: obligations.map(({ id }) => id).filter(id => id.includes('body/id/')),
    because: null,
  },
  {
    id: 'create/rule-1',
    at: 'Endpoints, Create plant, rule 1',
    text: 'When a valid NewPlant body is sent, the service creates the plant and answers 200.',
    obligations: obligations.map(({ id }) => id).filter(id => !id.includes('body/id/')),
    because: null,
  },
  {
    id: 'events',
    at: 'Events',
    text: 'Events: not shown.',
    obligations: [],
    because: 'the document shows none, and nothing that would tell of one',
  },
]

export const start = (changes: Partial<StartEvent> = {}): StartEvent => ({
  type: 'start',
  product: { name: 'plantstore-contract', version: '0.1.0' },
  at: '2026-11-21T09:30:00.000Z',
  target: 'https://staging.example.test',
  seed: 4242,
  contract: {
    title: 'Plant Store',
    version: '1.0.0',
    openapi: '3.1.0',
    digest: '3f9a1c07b2d4e6f8a0c2e4f60718293a4b5c6d7e8f9001122334455667788990',
    source: 'plant-store.openapi.yaml',
  },
  policies: { unauthenticated: 'declared', strict: 'false' },
  budget: { cases: 1000, seconds: null, concurrency: 16 },
  selection: { only: [], skip: [] },
  waivers: [],
  planned: 4310,
  identities: [
    { operation: 'createPlant', place: 'id', from: '471100000', to: '471101203', also: ['0', '1', '-1'] },
  ],
  operations: [{ id: 'createPlant', method: 'POST', path: '/plants', summary: 'Create a plant' }],
  obligations,
  clauses,
  ...changes,
})

export const request = (body: string | null, changes: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: 'POST',
  target: '/plants',
  headers: [
    ['Authorization', 'Bearer {{token}}'],
    ['Content-Type', 'application/json'],
  ],
  body: body === null ? null : { encoding: 'utf8', data: body, bytes: Buffer.byteLength(body) },
  chunked: false,
  ...changes,
})

export const answer = (status: number, body: string, type = 'application/json'): RecordedOutcome => ({
  kind: 'answer',
  status,
  headers: [['Content-Type', type]],
  body: { encoding: 'utf8', data: body, bytes: Buffer.byteLength(body) },
  ms: 3.2,
})

export const finding = (obligation: string, changes: Partial<Finding> = {}): Finding => ({
  type: 'finding',
  id: '7f3',
  obligation: `createPlant/${obligation}`,
  level: 'MUST',
  also: [],
  wanted: '400 application/json with an Error',
  got: '200 application/json {"name":""}',
  repeat: 'steady',
  cases: 12,
  excerpt: {
    from: 47,
    line: 49,
    lines: [
      '          properties:',
      '            id:',
      '              type: integer',
      '              format: int64',
    ],
  },
  expected: 'refused',
  request: request('{"id":"0","name":""}'),
  outcome: answer(200, '{"name":""}'),
  curl: `curl -sS -X POST https://staging.example.test/plants -H "Authorization: Bearer $PLANTSTORE_TOKEN" -H 'Content-Type: application/json' -d '{"id":"0","name":""}'`,
  hint: 'the text "0" was taken for the number 0: check the type before converting',
  ...changes,
})

export const end = (changes: Partial<EndEvent> = {}): EndEvent => ({
  type: 'end',
  stopped: 'done',
  why: null,
  conclusion: 'conformant',
  requests: 4402,
  cases: 4310,
  ms: 612,
  digest: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3a94a8fe5ccb19ba61c4c0873',
  ...changes,
})

export const exchange = (
  id: string,
  obligation: string,
  changes: Partial<ExchangeEvent> = {},
): ExchangeEvent => ({
  type: 'exchange',
  id,
  obligation: `createPlant/${obligation}`,
  expected: 'accepted',
  request: request('{"id":471100000,"name":"Fern"}'),
  outcome: answer(200, '{"name":"Fern"}'),
  broken: [],
  ...changes,
})

export const note = (message: string, level: NoteEvent['level'] = 'info'): NoteEvent => ({
  type: 'note',
  level,
  message,
})

const observations: Readonly<Record<string, string>> = {
  'createPlant/open/duplicate-id': 'accepted',
  'createPlant/open/undeclared-property': 'ignored',
}

/** A verdict for each obligation: kept or observed, where `changes` does not say otherwise. */
export const verdicts = (changes: Readonly<Record<string, Verdict>> = {}): readonly RunEvent[] =>
  obligations.map(({ id }, index) => {
    const what = observations[id]
    const plain: Verdict =
      what === undefined ? { kind: 'kept', cases: 40 + index * 20 } : { kind: 'observed', cases: 4, what }
    return { type: 'verdict', obligation: id, verdict: changes[id.replace('createPlant/', '')] ?? plain }
  })
