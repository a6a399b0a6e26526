/** Findings of one cause have one key, at whatever place and operation they show; of two causes, two. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findingCause } from '../../../conformance/judge/mechanism.ts'
import { errorsIn } from '../../../conformance/judge/response-kind.ts'
import type { Incident } from '../../../conformance/judge/run-stats.ts'
import { deriveObligations, type Obligation, placeText, type Repeat } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const obligations = [contracts.plantStore, contracts.library, contracts.orders].flatMap(contract =>
  [...deriveObligations(contract, 'declared')].flat(),
)
const named = (id: string): Obligation => {
  const found = obligations.find(each => each.id === id)
  if (found === undefined) throw new Error(`no obligation ${id}`)
  return found
}

type Seen = {
  readonly status: number | 'timeout' | 'reset'
  readonly says?: string
  readonly repeat?: Repeat
  /** What the case was about, if the finding is named after something else. */
  readonly tested?: string
  readonly violation?: object
  readonly sent?: object
}

const causeOf = (id: string, seen: Seen) =>
  findingCause(named(id), incidentOf(id, seen), seen.repeat ?? 'steady', [])

const incidentOf = (id: string, { status, says, tested = id, violation, sent = {} }: Seen): Incident => {
  const obligation = named(id)
  const testedBy = named(tested)
  const outcome =
    typeof status === 'number'
      ? {
          kind: 'response',
          response: { status, headers: [], body: Buffer.from(JSON.stringify({ message: says ?? '' })) },
          ms: 1,
        }
      : { kind: 'failure', failure: status, status: null, detail: '', ms: 1 }
  const expectation =
    testedBy.family === 'reject' || (testedBy.subject.kind === 'credentials' && !testedBy.subject.isAccepted)
      ? 'reject'
      : 'accept'
  const incident = {
    testCase: { number: 1, obligation: testedBy, expectation, spec: { ...requestSpec, body: sent } },
    outcome,
    violation: {
      id,
      operation: obligation.operation,
      subject: obligation.subject,
      expected: '',
      actual: '',
      ...violation,
    },
  }
  return incident as unknown as Incident
}

const store = 'createPlant'
const undeclared = `${store}/response/declared`

const accepted: Seen = { status: 200 }
const says = (status: number, text: string, more: Partial<Seen> = {}): Seen => ({
  status,
  says: text,
  ...more,
})
const declares = (status: number, tested: string): Seen => ({
  status,
  tested,
  violation: { subject: named(undeclared).subject },
})

/** Causes, and how they show. */
const table: readonly (readonly [title: string, shown: readonly (readonly [id: string, seen: Seen])[]])[] = [
  [
    'accepted null in place of other types',
    [
      ['createPlant/request/body/tag/type/null', accepted],
      ['createPlant/request/body/type/null', accepted],
      ['createLoan/request/body/copies/type/null', accepted],
    ],
  ],
  [
    'accepted values of other types',
    [
      ['createPlant/request/body/id/type/numeral', accepted],
      ['createPlant/request/body/tag/type/number', accepted],
      ['listBooks/request/query/loaned/type/string', accepted],
    ],
  ],
  [
    'accepted requests without what is required',
    [
      ['createPlant/request/body/id/required', accepted],
      ['createPlant/request/body/displaced', accepted],
      ['listBooks/request/query/page/n/required', accepted],
    ],
  ],
  [
    'accepted numbers outside of their range',
    [
      ['createPlant/request/body/id/format/above', accepted],
      ['listBooks/request/query/limit/minimum', accepted],
      ['listBooks/request/query/limit/maximum', accepted],
    ],
  ],
  ['accepted undeclared properties', [['listBooks/request/query/filter/additionalProperties', accepted]]],
  [
    'accepted malformed JSON',
    [
      ['createPlant/request/body/json/truncated', accepted],
      ['createPlant/request/body/json/comment', accepted],
    ],
  ],
  ['accepted bodies of other media types', [['createPlant/request/content-type/text', accepted]]],
  ['accepted bodies without a Content-Type', [['createPlant/request/content-type/absent', accepted]]],
  [
    'accepted requests without the body that is required',
    [
      ['createPlant/request/body/required/absent', accepted],
      ['createPlant/request/body/required/empty', accepted],
    ],
  ],
  [
    'accepted a request without credentials',
    [
      ['createPlant/auth/absent', accepted],
      // Created once, so that the second one is a duplicate.
      ['listBooks/auth/absent', { ...accepted, repeat: 'flaky' }],
    ],
  ],
  [
    'answered 500 to unusual texts',
    [
      ['createPlant/request/body/name/sql', { status: 500 }],
      ['createPlant/request/body/tag/control', says(500, 'Internal Server Error')],
      [undeclared, declares(500, 'createPlant/request/body/name/control')],
    ],
  ],
  // Each query of a database says it in other words.
  [
    'answered 500 to texts with NUL',
    [
      ['createPlant/request/body/name/nul', { status: 500 }],
      ['createPlant/request/body/tag/nul', says(500, 'insert into plants: invalid byte sequence: 0x00')],
      [undeclared, declares(500, 'createPlant/request/body/name/nul')],
    ],
  ],
  [
    'answered 500: «value too big for the column name»',
    [
      ['createPlant/request/body/name/markup', says(500, 'value too big for the column name')],
      [
        'createPlant/request/body/tag/markup',
        says(500, 'value too big for the column tag', { sent: { tag: 'x' } }),
      ],
    ],
  ],
  ['answered 500 to long texts', [['createPlant/request/body/name/long-65536', { status: 500 }]]],
  [
    'answered 500 to null in place of other types',
    [['createPlant/request/body/tag/type/null', { status: 500 }]],
  ],
  ['answered 500 to valid requests', [['createPlant/request/valid', { status: 500 }]]],
  [
    'did not respond to null in place of other types in time',
    [
      ['createPlant/request/body/tag/type/null', { status: 'timeout' }],
      ['createPlant/request/body/name/type/null', { status: 'timeout' }],
    ],
  ],
  [
    'closed the connection on null in place of other types',
    [['createPlant/request/body/tag/type/null', { status: 'reset' }]],
  ],
  [
    'rejected valid requests: «The store is closed on Sundays»',
    [
      ['createPlant/request/valid', says(400, 'The store is closed on Sundays')],
      ['createPlant/request/body/name/sql', says(400, 'The store is closed on Sundays')],
      ['listBooks/request/valid', says(400, 'The store is closed on Sundays')],
    ],
  ],
  [
    'rejected valid requests: «The tag must have a colour of ours»',
    [
      [
        'createPlant/request/body/presence/with-tag',
        says(400, 'The tag must have a colour of ours', { sent: { tag: 'red' } }),
      ],
      [
        'createPlant/request/body/tag/markup',
        says(400, 'Invalid request: the tag must have a colour of ours', { sent: { tag: '<' } }),
      ],
    ],
  ],
  [
    'answered 403 to valid requests: «Blocked by the policy of this site»',
    [
      ['createPlant/request/header/origin', says(403, 'Blocked by the policy of this site')],
      [
        undeclared,
        { ...declares(403, 'createPlant/request/valid'), says: 'Blocked by the policy of this site' },
      ],
    ],
  ],
  ['rejected unusual numbers', [['createPlant/request/body/id/zero', { status: 400 }]]],
  [
    'answered 415, which the document does not declare',
    [
      [undeclared, declares(415, 'createPlant/request/content-type/text')],
      [undeclared, declares(415, 'createPlant/request/content-type/absent')],
      ['createPlant/request/body/json/comment', declares(415, 'createPlant/request/body/json/comment')],
    ],
  ],
  [
    'answered 413, which the document does not declare',
    [[undeclared, declares(413, 'createPlant/request/body/json/comment')]],
  ],
  [
    'answered with null in place of other types',
    [
      [
        'createPlant/response/200/body/tag/type',
        { ...accepted, tested: 'createPlant/request/valid', violation: { kind: 'null' } },
      ],
      [
        'listBooks/response/200/body/*/title/type',
        { ...accepted, tested: 'listBooks/request/valid', violation: { kind: 'null' } },
      ],
    ],
  ],
  [
    'answered without properties that are required',
    [
      [
        'listBooks/response/4XX/body/code/required',
        { status: 400, tested: 'createPlant/request/body/type/null' },
      ],
      ['listBooks/response/200/body/*/title/required', { ...accepted, tested: 'listBooks/request/valid' }],
    ],
  ],
  [
    'answered failures as text/html, contrary to the document',
    [
      [
        'createPlant/response/400/content-type',
        { status: 400, tested: 'createPlant/request/body/type/null', violation: { kind: 'text/html' } },
      ],
      [
        'listBooks/response/4XX/content-type',
        { status: 404, tested: 'listBooks/request/valid', violation: { kind: 'text/html' } },
      ],
    ],
  ],
  [
    'sometimes rejected requests that passed when they were sent again',
    [
      ['createPlant/request/body/name/sql', { status: 400, repeat: 'flaky' }],
      ['createPlant/request/body/tag/sql', { status: 400, repeat: 'flaky' }],
    ],
  ],
  [
    'mixed up the responses to concurrent requests',
    [
      ['createPlant/stability/pairing', accepted],
      ['listBooks/stability/pairing', accepted],
    ],
  ],
]

describe.each(table)('%s', (title, shown) => {
  test('is the title of each finding, and they have one key', () => {
    const causes = shown.map(([id, seen]) => causeOf(id, seen))
    expect(causes.map(cause => cause.title)[0]).toBe(title)
    expect(new Set(causes.map(({ key }) => key)).size).toBe(1)
  })
})

test('a text that is rejected as one path parameter is rejected as all for one cause, and in a query for another', () => {
  const keyOf = (place: 'path' | 'query', name: string) => {
    const of = obligations.find(({ subject }) => subject.kind === 'value' && subject.location.in === 'path')
    if (of?.subject.kind !== 'value') throw new Error('no value in a path')
    const subject = { ...of.subject, name: 'nul', location: { ...of.subject.location, in: place, name } }
    const obligation = { ...of, subject }
    const incident = {
      testCase: { number: 1, obligation, expectation: 'accept', spec: requestSpec },
      outcome: { kind: 'response', response: { status: 400, headers: [], body: Buffer.of() }, ms: 1 },
      violation: { id: of.id, operation: of.operation, subject, expected: '', actual: '' },
    }
    return findingCause(obligation, incident as unknown as Incident, 'steady', []).key
  }
  expect(keyOf('path', 'id')).toBe(keyOf('path', 'other'))
  expect(keyOf('query', 'id')).not.toBe(keyOf('query', 'other'))
  expect(keyOf('query', 'id')).not.toBe(keyOf('path', 'id'))
})

test('a mixture has as many causes as there are', () => {
  const rows = table.flatMap(([title, shown]) => shown.map(([id, seen]) => ({ title, id, seen })))
  fc.assert(
    fc.property(fc.subarray(rows, { minLength: 1 }), mixture => {
      const keys = new Set(mixture.map(({ id, seen }) => causeOf(id, seen).key))
      expect(keys.size).toBe(new Set(mixture.map(({ title }) => title)).size)
    }),
  )
})

test('each obligation has a cause that says what went wrong, and none says where', () => {
  const statuses = [200, 400, 404, 500, 'timeout', 'reset'] as const
  fc.assert(
    fc.property(fc.constantFrom(...obligations), fc.constantFrom(...statuses), ({ id, subject }, status) => {
      const { title, key } = causeOf(id, { status })
      expect(title).toMatch(/^[a-z].*[^.]$/s)
      if ('location' in subject && placeText(subject.location.place) !== '')
        expect(title).not.toContain(`\`${placeText(subject.location.place)}\``)
      expect(key).not.toBe('')
    }),
  )
})

test('no secret is in a cause', () => {
  const secret = 'orchidgardens'
  const obligation = named('createPlant/request/valid')
  const body = Buffer.from(JSON.stringify({ message: `the token is ${'x'.repeat(90)} ${secret} and more` }))
  const incident = {
    testCase: { number: 1, obligation, expectation: 'accept', spec: requestSpec },
    outcome: { kind: 'response', response: { status: 400, headers: [], body }, ms: 1 },
    violation: { id: obligation.id, operation: store, subject: obligation.subject, expected: '', actual: '' },
  }
  const cause = findingCause(obligation, incident as unknown as Incident, 'steady', [secret])
  expect(JSON.stringify(cause)).not.toMatch(/orchid/)
})

test('an error with a name of its own is that error for malformed bodies too, if others got it as well', () => {
  const signer = 'no key of the signer is in the ring'
  const seen = says(500, signer)
  const malformed = `${store}/request/body/json/invalid-utf8`
  const [errors, none] = [
    errorsIn([[named(`${store}/request/valid`), incidentOf(`${store}/request/valid`, seen)]]),
    errorsIn([malformed, `${store}/request/body/name/nul`].map(id => [named(id), incidentOf(id, seen)])),
  ]
  const keyOf = (id: string, known: ReadonlySet<string>): string =>
    findingCause(named(id), incidentOf(id, seen), 'steady', [], known).key
  expect(keyOf(malformed, errors)).toBe(keyOf(`${store}/request/body/name/type/number`, errors))
  expect(keyOf(malformed, none)).not.toBe(keyOf(`${store}/request/body/name/type/number`, none))
})
