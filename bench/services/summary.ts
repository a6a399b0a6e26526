import { median, table } from '../page.ts'
import { costs, type Figures, type Measured, measures, type Run } from './figures.ts'
import type { Tool } from './tools.ts'

const toolNames: Readonly<Record<Tool, string>> = { ours: 'ours', schemathesis: 'Schemathesis' }

const count = (value: number): string => value.toLocaleString('en-US')

type Name = keyof Figures['figures']

/** The median over the seeds, and all figures behind it if there are several. */
const cell = (runs: readonly Figures[], figure: Name): string => {
  const values = runs.map(({ figures }) => figures[figure])
  const all = values.length > 1 ? ` (${values.map(count).join(', ')})` : ''
  return values.length === 0 ? '' : `${count(median(values))}${all}`
}

const byProduct = (all: readonly Figures[]): readonly (readonly [string, readonly Figures[]])[] => [
  ...Map.groupBy(all, ({ name }) => name),
]

/** A row for each product and tool. */
export const productTable = (all: readonly Figures[], tools: readonly Tool[]): string => {
  const names = Object.keys({ ...measures, ...costs }) as Name[]
  return table(
    ['', 'operations', 'tool', ...names],
    byProduct(all).flatMap(([name, of]) =>
      tools.map((tool, index) => {
        const own = of.filter(run => run.tool === tool)
        const head =
          index === 0 ? [`**${name}** (${of[0]?.packages})`, count(of[0]?.operations ?? 0)] : ['', '']
        return [...head, toolNames[tool], ...names.map(figure => cell(own, figure))]
      }),
    ),
  )
}

/** How many seeds each tool had of each product, when, and on what. */
export const shownRuns = (all: readonly Figures[]): string => {
  const ofTool = (tool: Tool, runs: readonly Figures[]): string => {
    const seeds = byProduct(runs).map(([name, of]) => ({ name, seeds: of.length }))
    const each = [...Map.groupBy(seeds, of => of.seeds)]
      .sort(([one], [other]) => other - one)
      .map(
        ([number, of]) =>
          `${number === 1 ? 'one seed' : `${number} seeds`} of ${of.map(({ name }) => name).join(', ')}`,
      )
    return `${toolNames[tool]}: ${each.join('; ')}`
  }
  const loads = all.map(({ load }) => load)
  const different = (of: (each: Figures) => string): string => [...new Set(all.map(of))].sort().join(' and ')
  return (
    `on ${different(({ machine }) => machine)}, ${different(({ date }) => date)}; load average ${Math.min(...loads).toFixed(1)} to ` +
    `${Math.max(...loads).toFixed(1)} as the runs began. ` +
    `${[...Map.groupBy(all, ({ tool }) => tool)].map(([tool, runs]) => ofTool(tool, runs)).join('. ')}. ` +
    'Medians, and all figures in brackets.'
  )
}

/** The sums of the medians of the products that all tools were run on, and what ours is of the other's. */
export const sumTable = (all: readonly Figures[], tools: readonly Tool[]): string => {
  const compared = byProduct(all).filter(([, of]) => tools.every(tool => of.some(run => run.tool === tool)))
  const sum = (tool: Tool, figure: Name): number =>
    compared.reduce(
      (total, [, of]) =>
        total + median(of.filter(run => run.tool === tool).map(({ figures }) => figures[figure])),
      0,
    )
  const rows = (Object.keys(measures) as Name[]).map(figure => {
    const sums = tools.map(tool => sum(tool, figure))
    const [ours = 0, theirs = 0] = sums
    const ratio = tools.length === 2 ? [theirs === 0 ? '' : (ours / theirs).toFixed(2)] : []
    return [figure, ...sums.map(count), ...ratio]
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
