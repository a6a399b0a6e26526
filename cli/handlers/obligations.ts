import {
  callbackObligationsOf,
  deriveObligations,
  type Obligation,
  ownershipObligationsOf,
  protocolObligationsOf,
  stateObligationsOf,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentParts } from '../outputs/document-text.ts'

export type ObligationsFlags = SpecFlags & {
  readonly format: 'text' | 'json' | 'markdown'
  readonly unauthenticated: UnauthenticatedPolicy
  readonly ownership?: boolean
  readonly callbacks?: boolean
  readonly malformedHttp?: boolean
}

export const listObligations = async (flags: ObligationsFlags): Promise<void> => {
  const contract = await contractOf(flags, { mayBeEmpty: true, mayBeCollection: true })
  /** Those of one operation after the other, so that the first lines come at once, and memory stays flat. */
  function* groups(): Generator<readonly Obligation[]> {
    yield* deriveObligations(contract, flags.unauthenticated)
    yield stateObligationsOf(contract)
    if (flags.ownership === true) yield ownershipObligationsOf(contract)
    if (flags.callbacks === true) yield callbackObligationsOf(contract)
    if (flags.malformedHttp === true) yield protocolObligationsOf(contract)
  }
  await printDocumentParts(formats[flags.format](groups()), flags.format)
}

type Groups = Iterable<readonly Obligation[]>

const formats: Readonly<Record<ObligationsFlags['format'], (groups: Groups) => Iterable<string>>> = {
  *text(groups) {
    for (const group of groups)
      yield group.map(({ id, level, requirement }) => `${level.padEnd(8)}${id}  ${requirement}\n`).join('')
  },
  *markdown(groups) {
    yield '| obligation | level | requirement | clause |\n|---|---|---|---|\n'
    for (const group of groups)
      yield group
        .map(
          ({ id, level, requirement, clause }) =>
            `| \`${id}\` | ${level} | ${cell(requirement)} | ${cell(clause.rule ?? '')} · ${clause.place.column === undefined ? `line ${clause.place.line}` : cell(`#${clause.place.pointer}`)} |\n`,
        )
        .join('')
  },
  *json(groups) {
    let separator = '[\n'
    for (const group of groups) {
      const rows = group.map(({ id, operation, family, level, requirement, clause }) =>
        JSON.stringify({ id, operation, family, level, requirement, clause }, null, 2).replace(/^/gm, '  '),
      )
      if (rows.length > 0) yield `${separator}${rows.join(',\n')}`
      if (rows.length > 0) separator = ',\n'
    }
    yield separator === '[\n' ? '[]\n' : '\n]\n'
  },
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
