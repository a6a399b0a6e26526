import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Ledger, loadContract } from '../../spec/index.ts'
import { conclusionSoFar } from '../conclusion-so-far.ts'
import { optionalDocument } from './optional-document.ts'
import { type Habits, startOptional } from './optional-server.ts'

const contract = await loadContract({ from: optionalDocument() })

const runOn = async (habits: Habits, seed: number): Promise<Ledger> => {
  const server = await startOptional(habits)
  onTestFinished(server.close)
  return verify({ contract, target: server.url, seed, cases: 1500, sustained: 0, strict: true })
}

test.each<[string, Habits, number]>([
  ['takes the last of several values', {}, 1],
  ['takes the last of several values, another seed', {}, 2],
  ['takes the first of several values', { takesFirst: true }, 3],
  ['takes a text without characters for no value', { emptyIsNothing: true }, 4],
  ['takes an escaped slash for one', { decodesSlashes: true }, 5],
])('a server that %s is conformant, strictly', async (_what, habits, seed) => {
  const ledger = await runOn(habits, seed)
  expect(ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
  expect(conclusionSoFar(ledger)).toBe('conformant')
  const untested = ledger.entries.filter(({ verdict }) => verdict.kind === 'untested')
  expect(untested.map(({ obligation }) => obligation.id)).toEqual([])
})

test.each<[string, Habits, string]>([
  ['takes any text for an optional integer', { takesAnyNumber: true }, 'opt/request/query/n/type/string'],
  ['takes any text for an item', { takesAnyItem: true }, 'lists/request/query/ids/*/type/string'],
  ['takes no list of several items', { takesNoList: true }, 'lists/request/query/ids/items/several'],
  ['takes any page', { takesAnyPage: true }, 'page/request/query/pageable/page/minimum'],
  ['takes any field of a form', { takesAnyField: true }, 'form/request/body/on/type/string'],
  ['takes any part', { takesAnyField: true }, 'upload/request/body/on/type/string'],
])('a server that %s is found', async (_what, habits, expected) => {
  const { findings } = await runOn(habits, 1)
  expect(findings.flatMap(({ obligation, also }) => [obligation, ...also])).toContain(expected)
})
