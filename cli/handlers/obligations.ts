import {
  type Obligation,
  obligationsOf,
  protocolObligationsOf,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'

export type ObligationsFlags = SpecFlags & {
  readonly format: 'text' | 'json' | 'markdown'
  readonly unauthenticated: UnauthenticatedPolicy
  readonly malformedHttp?: boolean
}

export const listObligations = async (flags: ObligationsFlags): Promise<void> => {
  const contract = await contractOf(flags)
  const rows = [
    ...obligationsOf(contract, flags.unauthenticated),
    ...(flags.malformedHttp === true ? protocolObligationsOf(contract) : []),
  ].map(({ id, operation, family, level, requirement, clause }) => ({
    id,
    operation,
    family,
    level,
    requirement,
    clause,
  }))
  const write = {
    text: () =>
      rows.map(({ id, level, requirement }) => `${level.padEnd(8)}${id}  ${requirement}`).join('\n'),
    markdown: () => markdown(rows),
    json: () => JSON.stringify(rows, null, 2),
  }[flags.format]
  printDocumentText(write(), flags.format)
}

type Rows = readonly Pick<Obligation, 'id' | 'level' | 'requirement' | 'clause'>[]

const markdown = (rows: Rows): string =>
  [
    '| obligation | level | requirement | clause |',
    '|---|---|---|---|',
    ...rows.map(
      ({ id, level, requirement, clause }) =>
        `| \`${id}\` | ${level} | ${cell(requirement)} | ${cell(clause.rule ?? '')} · line ${clause.place.line} |`,
    ),
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
