import { expect, onTestFinished, test } from 'vitest'
import { createPlanCache, type PlanCache, replay, verify } from '../../../conformance/index.ts'
import { type Contract, countVerdicts, type Ledger, loadContract } from '../../../spec/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { type Habits, signupDocument, startSignups } from './form-server.ts'

const urlOf = async (required: readonly string[], habits: Habits): Promise<string> => {
  const server = await startSignups(required, habits)
  onTestFinished(server.close)
  return server.url
}

const fields = ['name', 'age']

/** What all runs of one document share. */
const documents = new Map<string, { readonly contract: Contract; readonly planCache: PlanCache }>()

const documentOf = async (required: readonly string[]) => {
  const known = documents.get(required.join()) ?? {
    contract: await loadContract({ from: signupDocument(required) }),
    planCache: createPlanCache(),
  }
  documents.set(required.join(), known)
  return known
}

const runOn = async (required: readonly string[], habits: Habits = {}): Promise<Ledger> =>
  verify({
    ...(await documentOf(required)),
    target: await urlOf(required, habits),
    seed: 3,
    cases: 400,
    sustained: 0,
    strict: true,
  })

test.each([
  ['a text and a number', fields],
  ['a list and an object', ['topics', 'address[town]']],
])('a conforming server that requires %s passes everything, strictly', async (_what, required) => {
  const ledger = await runOn(required)
  expect(ledger.findings).toEqual([])
  expect(conclusionSoFar(ledger)).toBe('conformant')
  expect(countVerdicts(ledger.entries).untested).toBe(0)
})

test.each<[string, Habits, string]>([
  ['accepts any text for a number', { convertsLoosely: true }, 'body/age/type/string'],
  ['requires no field', { missesNothing: true }, 'body/name/required'],
  ['accepts undeclared fields', { takesUndeclared: true }, 'body/additionalProperties'],
  ['accepts forms of any type', { takesAnyMedia: true }, 'content-type/text'],
])('a server that %s is found', async (_what, habits, expected) => {
  const { findings } = await runOn(fields, habits)
  expect(findings.flatMap(({ obligation, also }) => [obligation, ...also])).toContain(
    `signUp/request/${expected}`,
  )
})

test.each<[string, Habits, string]>([
  ['returns a plus for a space', { keepsPluses: true }, 'name'],
  ['keeps one item of a list', { keepsOneTopic: true }, 'topics'],
])(
  'a server that %s is found by what it returns, and found again by replay',
  async (_what, habits, field) => {
    const ledger = await runOn(fields, habits)
    const echo = `signUp/response/200/echo/${field}`
    expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([echo])
    const violatedBy = async (server: Habits): Promise<readonly string[]> => {
      const target = new URL(await urlOf(fields, server))
      const { contract } = await documentOf(fields)
      const id = ledger.findings[0]?.id ?? ''
      const { violations } = await replay({ contract, ledger, id, target, token: null, seed: 4 })
      return violations.map(violation => violation.id)
    }
    expect(await violatedBy(habits)).toEqual([echo])
    expect(await violatedBy({})).toEqual([])
  },
)

test.each<[string, Habits]>([
  ['accepts an empty form', {}],
  ['requires at least one field', { wantsUrlencodedBytes: true }],
])('if a body is required but none of its fields, a server that %s is not blamed', async (_what, habits) => {
  const ledger = await runOn([], habits)
  expect(ledger.findings).toEqual([])
  expect(conclusionSoFar(ledger)).toBe('conformant')
})
