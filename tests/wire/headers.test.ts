/** A header of a response breaks the contract if no client may take it: for every type and union, in both forms of the style. */
import { expect, test } from 'vitest'
import { createResponseJudge } from '../../spec/index.ts'
import { operationOf } from '../spec/contracts.ts'
import { combinationsAt, contractOf, name, type Place, placeName } from './combinations.ts'
import { readingsOf } from './readings.ts'

const texts = [
  '',
  '1',
  'x',
  'true',
  'ab',
  '1,2',
  '1, 2',
  '1,x',
  'true,false',
  'n,1',
  'n,x',
  'n=1',
  'b=true, n=1',
  'n=x',
]

const places: readonly Place[] = [
  { in: 'response', style: 'simple', explode: false },
  { in: 'response', style: 'simple', explode: true },
]

test.each(places.map(place => [placeName(place), place] as const))('%s', async (_name, place) => {
  const combinations = combinationsAt(place)
  const contract = await contractOf(combinations)
  const wrong = combinations.flatMap(combination => {
    const judge = createResponseJudge(contract, operationOf(contract, combination.id))
    return [null, ...texts].flatMap(text => {
      const headers = [
        ['content-type', 'application/json'] as const,
        ...(text === null ? [] : [[name, text] as const]),
      ]
      const violations = judge({ status: 200, headers, body: new TextEncoder().encode('{}') }, undefined)
      const { isPossible } = readingsOf(combination, { kind: 'text', text })
      return (violations.length === 0) === isPossible
        ? []
        : [`${combination.id} ${text}: ${JSON.stringify(violations)}`]
    })
  })
  expect(wrong).toEqual([])
})
