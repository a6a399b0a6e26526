import { type Overlap, overlapsIn } from '../../generator/index.ts'
import {
  type Contract,
  gapSummary,
  gapsOf,
  type Json,
  type Problem,
  whereText,
  writeJson,
} from '../../spec/index.ts'
import { loadQuietly } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'

export type LintFlags = SpecFlags & { readonly format: 'text' | 'json' }

/** Prints what is wrong with the document, what of it is not tested, and what it leaves open. */
export const lint = async (flags: LintFlags): Promise<void> => {
  const contract = await loadQuietly(flags, { mayBeEmpty: true, mayBeCollection: true, officialSchema: true })
  const { leftOut, notTested } = contract
  const { found, untried } = overlapsIn(contract)
  const warnings = [...contract.warnings, ...found.map(overlap => overlapProblem(contract, overlap))]
  const gaps = gapsOf(contract)
  if (flags.format === 'json') {
    printDocumentText(JSON.stringify({ warnings, leftOut, notTested, gaps }, null, 2), 'json')
    return
  }
  const lines = [
    ...warnings.map(problem => line('warning: ', problem)),
    ...leftOut.flatMap(({ method, path, problems }) =>
      problems.map(problem => line(`${method === '*' ? path : `${method} ${path}`} is left out: `, problem)),
    ),
    ...notTested.map(problem => line('', problem)),
    ...gaps.map(({ operation, message, place }) => line(`${operation} `, { message, place })),
  ]
  const counts = [
    counted(warnings.length, 'warning', 'warnings'),
    counted(leftOut.length, 'operation left out', 'operations left out'),
    counted(notTested.length, 'part not tested', 'parts not tested'),
    counted(
      untried,
      'oneOf not searched for overlaps: too many',
      'oneOf not searched for overlaps: too many',
    ),
    gaps.length === 0 ? null : `${counted(gaps.length, 'gap', 'gaps')} (${gapSummary(gaps)})`,
  ].filter(count => count !== null)
  printDocumentText(
    lines.length === 0
      ? 'no warnings and no gaps: every operation declares what answers valid and invalid requests'
      : [...lines, '', counts.join(' · ')].join('\n'),
    'text',
  )
}

/** A value that fits two alternatives is no value of the schema, as clients find out one by one. */
const overlapProblem = ({ place }: Contract, { pointer, value, fits }: Overlap): Problem => ({
  message: `alternatives of oneOf overlap: ${proof(value)} fits two of them, ${fits.join(' and ')}, and so not the schema: use anyOf, or make them differ`,
  place: place(pointer),
})

const longest = 200

/** Whole if that can be read at a glance: the end of a long value seldom matters. */
const proof = (value: Json): string => {
  const text = writeJson(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const line = (subject: string, { message, place }: Problem): string =>
  place === null ? `${subject}${message}` : `${whereText(place)}: ${subject}${message}`

const counted = (count: number, one: string, many: string): string | null =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`
