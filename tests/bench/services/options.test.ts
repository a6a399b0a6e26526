import { expect, test } from 'vitest'
import { readOptions } from '../../../bench/services/options.ts'
import { products } from '../../../bench/services/products.ts'

test('without arguments every service is measured once by both tools for a minute', () => {
  const { names, ...others } = readOptions([])
  expect(names).toEqual(Object.keys(products))
  expect(names.length).toBeGreaterThanOrEqual(8)
  expect(others).toEqual({
    ...{ tools: ['ours', 'schemathesis'], seconds: 60, seeds: [1] },
    ...{ isJudgedOnly: false, isWritten: false },
  })
})

test('services, tools, time and seeds can be chosen', () => {
  expect(
    readOptions(['--seconds', '15', 'chroma', '--tools=ours', '--seeds', '3', '--judge-only', '--write']),
  ).toEqual({
    ...{ names: ['chroma'], tools: ['ours'], seconds: 15, seeds: [1, 2, 3] },
    ...{ isJudgedOnly: true, isWritten: true },
  })
})

test.each([
  [['nonesuch'], 'there is no service nonesuch; there are jupyter'],
  [['--tools', 'ours,curl'], '--tools: there is no curl; there are ours and schemathesis'],
  [['--seconds', '1m'], '--seconds: 1m is no number from 1 on'],
  [['--seeds', '0'], '--seeds: 0 is no number from 1 on'],
  [['--second', '1'], "Unknown option '--second'"],
])('%j is rejected', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
