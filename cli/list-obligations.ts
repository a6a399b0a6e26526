import { type Obligation, obligationsOf, type Unauthenticated, wireObligationsOf } from '../spec/index.ts'
import { contractOf } from './contract.ts'
import type { SpecFlags } from './spec-flags.ts'
import { print } from './terminal.ts'

export type ObligationsFlags = SpecFlags & {
  readonly format: 'text' | 'json' | 'markdown'
  readonly unauthenticated: Unauthenticated
  readonly wire?: boolean
}

export const listObligations = async (flags: ObligationsFlags): Promise<void> => {
  const contract = await contractOf(flags)
  const own = obligationsOf(contract, flags.unauthenticated)
  const rows = [...own, ...(flags.wire === true ? wireObligationsOf(contract) : [])].map(
    ({ id, operation, family, level, promise, clause }) => ({
      id,
      operation,
      family,
      level,
      promise,
      clause,
    }),
  )
  if (flags.format === 'json') print(JSON.stringify(rows, null, 2))
  else if (flags.format === 'markdown') print(markdown(rows))
  else print(rows.map(({ id, level, promise }) => `${level.padEnd(8)}${id}  ${promise}`).join('\n'))
}

type Rows = readonly Pick<Obligation, 'id' | 'level' | 'promise' | 'clause'>[]

const markdown = (rows: Rows): string =>
  [
    '| obligation | level | promise | clause |',
    '|---|---|---|---|',
    ...rows.map(
      ({ id, level, promise, clause }) =>
        `| \`${id}\` | ${level} | ${cell(promise)} | ${cell(clause.rule ?? '')} · line ${clause.place.line} |`,
    ),
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
