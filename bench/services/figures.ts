import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
export const measures = {
  'operations answered 2xx': ({ judged }: Run) => judged.succeeded.length,
  'distinct 5xx but 503': ({ judged }: Run) => judged.errors.length,
  'undeclared statuses': ({ judged }: Run) => judged.undeclared.length,
  'operations with a wrong body': ({ judged }: Run) => judged.wrong.length,
}

export const costs = {
  'operations answered 503': ({ judged }: Run) => judged.busy.length,
  requests: ({ judged }: Run) => judged.requests,
  seconds: ({ outcome }: Run) => Math.round(outcome.seconds),
  'peak memory (MB)': ({ outcome }: Run) => Math.round(outcome.peakMegabytes),
}

/** The figures of one run. They are kept in the repository, so that a product or a tool can be measured again by itself. */
export type Figures = {
  readonly name: string
  readonly packages: string
  readonly operations: number
  readonly tool: Tool
  readonly seed: number
  /** The time that the run had. */
  readonly limit: number
  readonly date: string
  readonly machine: string
  /** The load average as it began. */
  readonly load: number
  readonly figures: Readonly<Record<keyof typeof measures | keyof typeof costs, number>>
}

/** The figures of what has been measured just now. */
export const figuresOf = (
  measured: readonly Measured[],
  about: Pick<Figures, 'limit' | 'date' | 'machine'>,
): readonly Figures[] =>
  measured.flatMap(({ name, packages, operations, runs }) =>
    runs.map(run => ({
      ...{ name, packages, operations, tool: run.tool, seed: run.seed, ...about },
      load: Number(run.outcome.load.toFixed(1)),
      figures: Object.fromEntries(
        Object.entries({ ...measures, ...costs }).map(([figure, of]) => [figure, of(run)]),
      ) as Figures['figures'],
    })),
  )

const file = fileURLToPath(new URL('figures.json', import.meta.url))

const keyOf = ({ name, tool, seed, limit }: Figures): string => [name, tool, limit, seed].join(' ')

/** Adds figures to those that are kept, in place of older ones of the same run. Gives all of them that had the same time. */
export const keep = (figures: readonly Figures[]): readonly Figures[] => {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as readonly Figures[]
  const all = new Map([...kept, ...figures].map(each => [keyOf(each), each]))
  writeFileSync(file, `[\n${[...all.values()].map(each => JSON.stringify(each)).join(',\n')}\n]\n`)
  return [...all.values()].filter(({ limit }) => limit === figures[0]?.limit)
}
