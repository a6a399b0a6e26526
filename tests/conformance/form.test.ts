import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Ledger, tally } from '../../spec/index.ts'
import { type Habits, signupDocument, startSignups } from './form-server.ts'

const verdictOn = async (required: readonly string[], habits: Habits = {}): Promise<Ledger> => {
  const server = await startSignups(required, habits)
  onTestFinished(server.close)
  return verify({ target: server.url, contract: signupDocument(required), seed: 3, cases: 400, strict: true })
}

const fields = ['name', 'age']

test('a lawful server that reads forms as the platform does keeps all, strictly', async () => {
  const ledger = await verdictOn(fields)
  expect(ledger.findings).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(tally(ledger.entries).untested).toBe(0)
})

test.each<[string, Habits, string]>([
  ['takes any text for a number', { convertsLoosely: true }, 'body/age/type/string'],
  ['misses no field', { missesNothing: true }, 'body/name/required'],
  ['takes undeclared fields', { takesUndeclared: true }, 'body/additionalProperties'],
  ['takes forms of any type', { takesAnyMedia: true }, 'content-type/text'],
])('a server that %s is found', async (_what, habits, wanted) => {
  const { findings } = await verdictOn(fields, habits)
  expect(findings.flatMap(({ obligation, also }) => [obligation, ...also])).toContain(
    `signUp/request/${wanted}`,
  )
})

test.each<[string, Habits, string]>([
  ['gives back a plus for a space', { keepsPluses: true }, 'name'],
  ['keeps one item of a list', { keepsOneTopic: true }, 'topics'],
])('a server that %s is found by what it gives back', async (_what, habits, field) => {
  const { findings } = await verdictOn(fields, habits)
  expect(findings.map(({ obligation }) => obligation)).toEqual([`signUp/response/200/echo/${field}`])
})

test.each<[string, Habits]>([
  ['takes an empty form', {}],
  ['wants at least one field', { wantsUrlencodedBytes: true }],
])(
  'where a body is required but none of its fields, a server that %s is not blamed',
  async (_what, habits) => {
    const ledger = await verdictOn([], habits)
    expect(ledger.findings).toEqual([])
    expect(ledger.end?.conclusion).toBe('conformant')
  },
)
