import type {
  EndEvent,
  ExchangeEvent,
  Family,
  Finding,
  Level,
  NoteEvent,
  OpenQuestion,
  RecordedClause,
  RecordedObligation,
  RecordedOutcome,
  RecordedRequest,
  RunEvent,
  StartEvent,
  UntestedCause,
  Verdict,
} from '../../spec/index.ts'

const requirements: readonly (readonly [
  id: string,
  family: Family,
  level: Level,
  requirement: string,
  line: number,
])[] = [
  ['request/body/valid', 'accept', 'MUST', 'a valid NewPlant is accepted with a declared success', 14],
  ['request/body/id/int64-max', 'accept', 'MUST', '`id` 9223372036854775807 is accepted', 50],
  ['request/body/id/int64-min', 'accept', 'MUST', '`id` -9223372036854775808 is accepted', 50],
  ['request/body/name/empty', 'accept', 'SHOULD', 'an empty `name` is accepted', 36],
  ['request/body/name/nul', 'accept', 'SHOULD', 'a `name` with NUL in it is accepted', 36],
  ['request/body/tag/absent', 'accept', 'MUST', 'a body without `tag` is accepted', 34],
  [
    'request/body/id/required',
    'reject',
    'MUST',
    'a body without `id` is rejected with a declared failure',
    46,
  ],
  [
    'request/body/id/type',
    'reject',
    'MUST',
    '`id` as a string of digits is rejected with a declared failure',
    49,
  ],
  [
    'request/body/name/required',
    'reject',
    'MUST',
    'a body without `name` is rejected with a declared failure',
    33,
  ],
  ['request/body/name/type', 'reject', 'MUST', '`name` as a number is rejected with a declared failure', 37],
  [
    'request/body/malformed',
    'reject',
    'MUST',
    'a body that is not JSON is rejected with a declared failure',
    15,
  ],
  ['auth/none', 'auth', 'MUST', 'a request without credentials is rejected with a declared failure', 28],
  ['auth/wrong-scheme', 'auth', 'MUST', '`Basic …` is rejected with a declared failure', 28],
  ['auth/empty-token', 'auth', 'MUST', '`Bearer` without a token is rejected with a declared failure', 28],
  ['auth/lower-case', 'auth', 'MUST', 'the scheme in lower case is accepted', 28],
  ['response/200/body', 'response', 'MUST', 'every 200 carries a Plant', 20],
  ['response/400/body/error/format', 'response', 'MUST', '`error` of a 400 is an int32', 58],
  ['response/200/echo/name', 'response', 'SHOULD', 'the Plant of a 200 has the `name` that was sent', 20],
  ['stability/concurrent', 'stability', 'MUST', 'responses stay correct with 32 requests in flight', 10],
  [
    'unspecified/duplicate-id',
    'unspecified',
    'OBSERVE',
    'how a second plant with the same `id` is handled',
    44,
  ],
  ['unspecified/undeclared-property', 'unspecified', 'OBSERVE', 'how an undeclared property is handled', 44],
]

const rules: Readonly<Record<string, string>> = { auth: 'rule 3 · RFC 6750, 2.1' }

export const obligations: readonly RecordedObligation[] = requirements.map(
  ([id, family, level, requirement, line]) => ({
    id: `createPlant/${id}`,
    operation: 'createPlant',
    names: id.split('/'),
    ...(family === 'unspecified' ? { question: id.split('/')[1] as OpenQuestion } : {}),
    family,
    level,
    requirement,
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
    reason: null,
  },
  {
    id: 'create/rule-1',
    at: 'Endpoints, Create plant, rule 1',
    text: 'When a valid NewPlant body is sent, the service creates the plant and answers 200.',
    obligations: obligations.map(({ id }) => id).filter(id => !id.includes('body/id/')),
    reason: null,
  },
  {
    id: 'events',
    at: 'Events',
    text: 'Events: not shown.',
    obligations: [],
    reason: 'the document shows none, and nothing reveals one from outside',
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
  budget: { cases: 1000, needed: 1000, seconds: null, concurrency: 16 },
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

export const response = (status: number, body: string, type = 'application/json'): RecordedOutcome => ({
  kind: 'response',
  status,
  headers: [['Content-Type', type]],
  body: { encoding: 'utf8', data: body, bytes: Buffer.byteLength(body) },
  ms: 3.2,
})

export const finding = (obligation: string, changes: Partial<Finding> = {}): Finding => ({
  type: 'finding',
  id: '7f3',
  title: 'accepted `id` as a string of digits ("0")',
  obligation: `createPlant/${obligation}`,
  level: 'MUST',
  also: [],
  expected: '400 application/json with an Error',
  actual: '200 application/json {"name":""}',
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
  expectation: 'reject',
  request: request('{"id":"0","name":""}'),
  outcome: response(200, '{"name":""}'),
  curl: `curl -sS -X POST https://staging.example.test/plants -H "Authorization: Bearer $PLANTSTORE_TOKEN" -H 'Content-Type: application/json' -d '{"id":"0","name":""}'`,
  hint: 'Check the type before converting: the string "0" was taken for the number 0.',
  ...changes,
})

export const end = (changes: Partial<EndEvent> = {}): EndEvent => ({
  type: 'end',
  stopped: 'done',
  reason: null,
  conclusion: 'conformant',
  requests: 4402,
  cases: 4310,
  ms: 612,
  digest: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3a94a8fe5ccb19ba61c4c0873',
  pairs: { covered: 400, total: 427 },
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
  expectation: 'accept',
  request: request('{"id":471100000,"name":"Fern"}'),
  outcome: response(200, '{"name":"Fern"}'),
  failed: [],
  ...changes,
})

export const note = (message: string, level: NoteEvent['level'] = 'info'): NoteEvent => ({
  type: 'note',
  level,
  message,
})

/** A verdict of an obligation that was not tested. */
export const untested = (cause: UntestedCause, reason: string): Verdict => ({
  kind: 'untested',
  cause,
  reason,
})

const observations: Readonly<Record<string, string>> = {
  'createPlant/unspecified/duplicate-id': 'accepted',
  'createPlant/unspecified/undeclared-property': 'ignored',
}

/** A verdict for each obligation: passed or observed, unless `changes` says otherwise. */
export const verdicts = (changes: Readonly<Record<string, Verdict>> = {}): readonly RunEvent[] =>
  obligations.map(({ id }, index) => {
    const observation = observations[id]
    const verdict: Verdict =
      observation === undefined
        ? { kind: 'passed', cases: 40 + index * 20 }
        : { kind: 'observed', cases: 4, observation }
    return { type: 'verdict', obligation: id, verdict: changes[id.replace('createPlant/', '')] ?? verdict }
  })
