import { median, table } from '../page.ts'
import type { Judged } from './judge.ts'
import type { Outcome } from './run.ts'
import type { Tool } from './tools.ts'

export type Run = {
  readonly tool: Tool
  readonly seed: number
  readonly outcome: Outcome
  readonly judged: Judged
}

export type Measured = {
  readonly name: string
  readonly packages: string
  readonly operations: number
  readonly runs: readonly Run[]
}

/** What is compared: more is better, as each is something that a run showed of the service. */
const measures = {
  'operations answered 2xx': ({ judged }: Run) => judged.succeeded.length,
  'distinct 5xx but 503': ({ judged }: Run) => judged.errors.length,
  'undeclared statuses': ({ judged }: Run) => judged.undeclared.length,
  'operations with a wrong body': ({ judged }: Run) => judged.wrong.length,
}

const costs = {
  'operations answered 503': ({ judged }: Run) => judged.busy.length,
  requests: ({ judged }: Run) => judged.requests,
  seconds: ({ outcome }: Run) => Math.round(outcome.seconds),
  'peak memory (MB)': ({ outcome }: Run) => Math.round(outcome.peakMegabytes),
}

const toolNames: Readonly<Record<Tool, string>> = { ours: 'ours', schemathesis: 'Schemathesis' }

const count = (value: number): string => value.toLocaleString('en-US')

/** The median over the seeds, and all figures behind it if there are several. */
const cell = (runs: readonly Run[], figure: (run: Run) => number): string => {
  const values = runs.map(figure)
  const all = values.length > 1 ? ` (${values.map(count).join(', ')})` : ''
  return `${count(median(values))}${all}`
}

/** A row for each product and tool. */
export const productTable = (measured: readonly Measured[], tools: readonly Tool[]): string =>
  table(
    ['', 'operations', 'tool', ...Object.keys(measures), ...Object.keys(costs)],
    measured.flatMap(({ name, packages, operations, runs }) =>
      tools.map((tool, index) => {
        const own = runs.filter(run => run.tool === tool)
        const figures = Object.values({ ...measures, ...costs }).map(figure => cell(own, figure))
        const head = index === 0 ? [`**${name}** (${packages})`, count(operations)] : ['', '']
        return [...head, toolNames[tool], ...figures]
      }),
    ),
  )

/** How many seeds each product had. */
export const shownSeeds = (measured: readonly Measured[]): string => {
  const byCount = Map.groupBy(measured, ({ runs }) => new Set(runs.map(({ seed }) => seed)).size)
  const each = [...byCount]
    .sort(([one], [other]) => other - one)
    .map(
      ([seeds, of]) =>
        `${seeds === 1 ? 'one seed' : `${seeds} seeds`} of ${of.map(({ name }) => name).join(', ')}`,
    )
  return `${each.join('; ')}. Medians, and all figures in brackets.`
}

/** The sums of the medians, and what ours is of the other's. */
export const sumTable = (measured: readonly Measured[], tools: readonly Tool[]): string => {
  const sum = (tool: Tool, figure: (run: Run) => number): number =>
    measured.reduce((total, { runs }) => total + median(runs.filter(run => run.tool === tool).map(figure)), 0)
  const rows = Object.entries(measures).map(([name, figure]) => {
    const sums = tools.map(tool => sum(tool, figure))
    const [ours = 0, theirs = 0] = sums
    return [
      name,
      ...sums.map(count),
      ...(tools.length === 2 ? [theirs === 0 ? '' : (ours / theirs).toFixed(2)] : []),
    ]
  })
  const ratio = tools.length === 2 ? [`${tools.map(tool => toolNames[tool]).join(' : ')}`] : []
  return table(['sum', ...tools.map(tool => toolNames[tool]), ...ratio], rows)
}

/** What only one of two tools showed in any of its runs, by product. */
export const differences = (measured: readonly Measured[]): string =>
  measured
    .flatMap(({ name, runs }) => [
      `## ${name}`,
      '',
      ...(['succeeded', 'errors', 'undeclared', 'wrong'] as const).flatMap(list => onlyIn(runs, list)),
    ])
    .join('\n')

const onlyIn = (
  runs: readonly Run[],
  list: 'succeeded' | 'errors' | 'undeclared' | 'wrong',
): readonly string[] => {
  const of = (tool: Tool): ReadonlySet<string> =>
    new Set(runs.filter(run => run.tool === tool).flatMap(({ judged }) => judged[list]))
  const [ours, theirs] = [of('ours'), of('schemathesis')]
  const section = (who: string, lines: ReadonlySet<string>): readonly string[] =>
    lines.size === 0 ? [] : [`${list}, ${who} only:`, '', ...[...lines].sort().map(line => `- ${line}`), '']
  return [...section('ours', ours.difference(theirs)), ...section('Schemathesis', theirs.difference(ours))]
}
