import { expect, onTestFinished, test } from 'vitest'
import { replay, verify } from '../../conformance/index.ts'
import { type Ledger, loadContract, tally } from '../../spec/index.ts'
import { type Habits, signupDocument, startSignups } from './form-server.ts'

const urlOf = async (required: readonly string[], habits: Habits): Promise<string> => {
  const server = await startSignups(required, habits)
  onTestFinished(server.close)
  return server.url
}

const verdictOn = async (required: readonly string[], habits: Habits = {}): Promise<Ledger> =>
  verify({
    target: await urlOf(required, habits),
    contract: signupDocument(required),
    seed: 3,
    cases: 400,
    strict: true,
  })

const fields = ['name', 'age']

test.each([
  ['a text and a number', fields],
  ['a list and an object', ['topics', 'address[town]']],
])('a lawful server that asks for %s keeps all, strictly', async (_what, required) => {
  const ledger = await verdictOn(required)
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
])('a server that %s is found by what it gives back, and again', async (_what, habits, field) => {
  const ledger = await verdictOn(fields, habits)
  const echo = `signUp/response/200/echo/${field}`
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([echo])
  const again = async (own: Habits): Promise<readonly string[]> => {
    const target = new URL(await urlOf(fields, own))
    const contract = await loadContract({ from: signupDocument(fields) })
    const id = ledger.findings[0]?.id ?? ''
    const { flaws } = await replay({ contract, ledger, id, target, token: null, seed: 4 })
    return flaws.map(flaw => flaw.id)
  }
  expect(await again(habits)).toEqual([echo])
  expect(await again({})).toEqual([])
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
