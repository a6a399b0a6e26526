import { expect, test } from 'vitest'
import type { Figures } from '../../../bench/services/figures.ts'
import { productTable, shownRuns, sumTable } from '../../../bench/services/summary.ts'

const figures = (name: string, tool: Figures['tool'], seed: number, count: number): Figures => ({
  ...{ name, packages: `${name}==1`, operations: 30, tool, seed, limit: 60 },
  ...{ date: '2026-01-02', machine: '2 cores', load: seed },
  figures: {
    ...{ 'operations answered 2xx': count, 'distinct 5xx but 503': 2 * count },
    ...{ 'undeclared statuses': 0, 'operations with a wrong body': 1 },
    ...{ 'operations answered 503': 0, requests: 1000 * count, seconds: 60, 'peak memory (MB)': 300 },
  },
})

const all = [
  ...[7, 5, 9].map((count, index) => figures('a', 'ours', index + 1, count)),
  figures('a', 'schemathesis', 1, 4),
  figures('b', 'ours', 1, 3),
]
const tools = ['ours', 'schemathesis'] as const

test('a table has medians, and all figures behind them; what one tool has not been run on stays empty', () => {
  const [, , first, second, third, fourth] = productTable(all, tools).split('\n')
  expect(first).toContain('| **a** (a==1) | 30 | ours | 7 (7, 5, 9) | 14 (14, 10, 18) |')
  expect(first).toContain('7,000 (7,000, 5,000, 9,000)')
  expect(second).toContain('|  |  | Schemathesis | 4 | 8 |')
  expect(third).toContain('| **b** (b==1) | 30 | ours | 3 | 6 |')
  expect(fourth).toBe('|  |  | Schemathesis |  |  |  |  |  |  |  |  |')
})

test('the sums compare the products that both tools were run on', () => {
  expect(sumTable(all, tools)).toContain('| operations answered 2xx | 7 | 4 | 1.75 |')
  expect(sumTable(all, tools)).toContain('| undeclared statuses | 0 | 0 |  |')
})

test('the seeds of each tool are told', () => {
  expect(shownRuns(all)).toBe(
    'on 2 cores, 2026-01-02; load average 1.0 to 3.0 as the runs began. ours: 3 seeds of a; one seed of b. Schemathesis: one seed of a. ' +
      'Medians, and all figures in brackets.',
  )
})
