/** What the suite demands is what requests show: for every combination of location, style, type and union. */
import { expect, test } from 'vitest'
import type { TestCase } from '../../conformance/cases/case.ts'
import { expectationOf } from '../../conformance/cases/expectation.ts'
import { createOperationModel } from '../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../conformance/cases/random-values.ts'
import { strategyOf } from '../../conformance/cases/strategies/index.ts'
import { type Contract, deriveObligations, type Obligation } from '../../spec/index.ts'
import { type Combination, combinationsAt, contractOf, name, placeName, places } from './combinations.ts'
import { readingsOf } from './readings.ts'
import { sentIn } from './requests.ts'

const casesEach = 12

type Planned = {
  readonly obligation: Obligation
  readonly cases: readonly Pick<TestCase, 'expectation' | 'request'>[]
}

const plannedFor = (contract: Contract, { id }: Combination): readonly Planned[] => {
  const operation = contract.operations.find(each => each.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  const model = createOperationModel(contract, operation)
  const values = createRandomValues(model, 1)
  const context = { model, identities: null, seed: 1, values, isTokenKnown: true, isForwarded: false }
  return [...deriveObligations(contract, 'declared', [operation])]
    .flat()
    .filter(({ family, level }) => /^(?:accept|reject)$/.test(family) && level !== 'OBSERVE')
    .map(obligation => {
      const strategy = strategyOf(context, obligation)
      const indexes =
        strategy === null || 'unsupported' in strategy ? [] : Array.from({ length: casesEach }, (_, at) => at)
      const cases = indexes.flatMap(index => {
        if (strategy === null || 'unsupported' in strategy || index >= strategy.size) return []
        const spec = strategy.make(index, index)
        const expected = spec === null ? null : expectationOf(model, obligation, spec, 'token')
        return expected === null ? [] : [expected]
      })
      return { obligation, cases }
    })
}

test.each(places.map(place => [placeName(place), place] as const))('%s', async (_name, place) => {
  const combinations = combinationsAt(place)
  const contract = await contractOf(combinations)
  const wrong: string[] = []
  const untested: string[] = []
  for (const combination of combinations)
    for (const { obligation, cases } of plannedFor(contract, combination)) {
      if (cases.length === 0) untested.push(obligation.id)
      for (const { expectation, request } of cases) {
        if (expectation === 'reject' && !isAboutField(obligation)) continue
        const { isDue, isPossible } = readingsOf(combination, sentIn(combination, request))
        const isRight = expectation === 'accept' ? isDue : expectation === 'reject' ? !isPossible : true
        if (!isRight)
          wrong.push(
            `${obligation.id} ${expectation}: ${request.target} ${JSON.stringify(request.headers)} ${new TextDecoder().decode(request.body ?? new Uint8Array())}`,
          )
        if (place.in === 'path' && /%2f|%5c/i.test(request.target))
          wrong.push(`${obligation.id}: ${request.target}`)
      }
    }
  expect(wrong).toEqual([])
  expect(untested.filter(id => !mayBeUntested.test(id))).toEqual([])
})

/** What is wrong with another field, or with the body as a whole, says nothing of the field. */
const isAboutField = ({ subject }: Obligation): boolean => {
  if (subject.kind === 'missing-parameter') return true
  if (subject.kind !== 'keyword') return false
  const { in: part, place } = subject.location
  return part !== 'form' && part !== 'body' ? true : place === `/${name}` || place.startsWith(`/${name}/`)
}

/** Few texts are no object, and few lists are of one item: a dozen random values need not have one. */
const mayBeUntested = /^object-.*\/(?:anyOf|oneOf|if)|\/cookie\/p\/(?:anyOf|oneOf|if)\//
