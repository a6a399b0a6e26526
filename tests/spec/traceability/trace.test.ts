import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  loadContract,
  obligationsOf,
  protocolObligationsOf,
  type RecordedClause,
  select,
  traceOf,
} from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { contracts, documentWith } from '../contracts.ts'

const all = Object.entries(contracts).map(([name, contract]) => {
  const obligations = [...obligationsOf(contract), ...protocolObligationsOf(contract)]
  return { name, contract, obligations, clauses: traceOf(contract, obligations) }
})

const covered = (clauses: readonly RecordedClause[]): ReadonlySet<string> =>
  new Set(clauses.flatMap(({ obligations }) => obligations))

test.each(all)('every obligation of $name is traced to a clause', ({ obligations, clauses }) => {
  const traced = covered(clauses)
  expect(obligations.length).toBeGreaterThan(20)
  expect(obligations.map(({ id }) => id).filter(id => !traced.has(id))).toEqual([])
})

test.each(all)('every clause of $name has either obligations or a reason why not', ({ clauses }) => {
  expect(clauses.length).toBeGreaterThan(10)
  expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length)
  for (const { id, at, text, obligations, reason } of clauses) {
    expect({ id, isExplained: (obligations.length === 0) === (reason !== null) }).toEqual({
      id,
      isExplained: true,
    })
    expect(reason).not.toBe('no obligation of this run covers it')
    expect(`${at}${text}`).not.toContain('undefined')
    expect(text).not.toBe('')
  }
})

test('each pattern in the rules of the plant store matches obligations', () => {
  const obligations = obligationsOf(contracts.plantStore)
  const patterns = (contracts.plantStore.clauses ?? []).flatMap(({ obligations }) => obligations)
  expect(patterns.length).toBeGreaterThan(20)
  for (const pattern of patterns)
    expect(() => select(obligations, { only: [pattern], skip: [] })).not.toThrow()
})

test('the document has the version that its interface document names', () => {
  expect(contracts.plantStore).toMatchObject({ version: '1.0.0', openapi: '3.1.0' })
})

test('an obligation covers the clauses of the nearest place around it, and those that name it', () => {
  const plantStore = all.find(({ name }) => name === 'plantStore')
  const tracing = (id: string): readonly (string | undefined)[] =>
    (plantStore?.clauses ?? []).filter(({ obligations }) => obligations.includes(id)).map(clause => clause.id)
  expect(tracing('createPlant/unspecified/duplicate-id')).toEqual(['create/operation', 'create/duplicates'])
  expect(tracing('createPlant/request/body/id/format/above')).toEqual(['new-plant/id'])
})

test('the clauses of a document without a rules file are places in it, each with its line', () => {
  const library = all.find(({ name }) => name === 'library')
  expect(library?.clauses.every(({ id, at }) => id.startsWith('#/') && /\.yaml:\d+$/.test(at))).toBe(true)
})

test('what a run leaves out is reported as not covered, not as untestable', () => {
  const { contract, obligations } = all[0] as (typeof all)[number]
  const some = obligations.filter(({ family }) => family === 'accept')
  const rule = traceOf(contract, some).find(({ id }) => id === 'authentication/rule-2')
  expect(rule?.reason).toBe('no obligation of this run covers it')
})

const errorOf = async (rules: string): Promise<string> => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'a.openapi.json'), documentWith())
  writeFileSync(join(folder, 'a.rules.yaml'), rules)
  return loadContract({ from: join(folder, 'a.openapi.json') }).then(
    () => 'taken',
    error => `${error.name}: ${error.message.replaceAll(`${folder}/`, '')}`,
  )
}

test.each([
  ['- a', 'it must be a table with `places` and `clauses`'],
  ['claims: []', 'a rules file has places and clauses, not claims'],
  ['places: {/paths/~1b: B}', 'places names /paths/~1b, which is not in the document'],
  ['clauses: {}', 'clauses must be a list'],
  ['clauses: [{at: A, text: B}]', 'a clause has no id'],
  ['clauses: [{id: a, text: B}]', 'the clause a must have its place (at) and its text'],
  ['clauses: [{id: a, at: A, text: B, why: C}]', 'the clause a has the unknown field why'],
  [
    'clauses: [{id: a, at: A, text: B}]',
    'the clause a needs either places or obligations that cover it, or a reason (untestable)',
  ],
  [
    'clauses: [{id: a, at: A, text: B, untestable: C}, {id: a, at: A, text: B, untestable: C}]',
    'there are two clauses a',
  ],
  ['clauses: [{id: a, at: A, text: B, places: [/x]}]', 'the clause a names /x, which is not in the document'],
])('the rules file %j is rejected with one line', async (rules, why) => {
  expect(await errorOf(rules)).toBe(`DocumentError: a.rules.yaml: ${why}`)
})

test('a rules file that is not YAML is rejected with its name', async () => {
  expect(await errorOf('a: [')).toMatch(/^DocumentError: a\.rules\.yaml cannot be read: /)
})
