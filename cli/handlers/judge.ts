import { createTrafficJudge, type PlacedTraffic } from '../../mock/index.ts'
import {
  plural,
  safeText,
  type TrafficEntry,
  thousands,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import { trafficIn } from '../inputs/traffic.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { isAtFault, openTrafficRecord, type TrafficFlags } from '../outputs/traffic-record.ts'
import { exitCodes } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { say } from '../process/terminal.ts'

export type JudgeFlags = SpecFlags &
  Omit<TrafficFlags, 'har'> & {
    readonly server?: URL
    readonly basePath: string
    readonly unauthenticated: UnauthenticatedPolicy
  }

export const runJudge = async (file: string, flags: JudgeFlags): Promise<number> => {
  limitHeapGrowth()
  const contract = await contractOf(flags)
  const entries = trafficIn(file)
  const { basePath, unauthenticated, server } = flags
  const judge = await createTrafficJudge({ contract, basePath, unauthenticated, warn: say })
  try {
    const traffic = judge.place(entries, server === undefined ? null : { url: server, isOnly: true })
    for (const line of placeLines(file, entries, traffic)) say(line)
    const target = usualBase(traffic)
    if (target === null) return exitCodes.inconclusive
    const record = openTrafficRecord(target, flags, file)
    try {
      const run = record.start(judge)
      const invalid: string[] = []
      const unjudged: string[] = []
      for (const placed of traffic.placed) {
        const judged = judge.judge(placed)
        if (judged.unjudged !== null) unjudged.push(judged.unjudged)
        if (judged.violations.length > 0) {
          const { place, method } = placed.entry
          const path = placed.target.split('?')[0]
          const reasons = judged.violations.map(({ message }) => message).join('; ')
          invalid.push(safeText(`  ${place}: ${method} ${path}: ${reasons}`))
        }
      }
      for (const line of [...invalidLines(invalid), ...unjudgedLines(unjudged)]) say(line)
      return record.end(run, counts =>
        isAtFault(flags.failOn, counts) ? exitCodes.nonconformant : exitCodes.conformant,
      )
    } finally {
      record.close()
    }
  } finally {
    await judge.close()
  }
}

/** Where most of the traffic went; null: nothing belongs to an operation. */
const usualBase = ({ placed }: PlacedTraffic): URL | null => {
  const [first] = byCount(placed.map(({ base }) => base))
  return first === undefined ? null : new URL(first[0])
}

const mostShown = 20

const placeLines = (
  file: string,
  entries: readonly TrafficEntry[],
  { placed, preflights, others, isByPath }: PlacedTraffic,
): readonly string[] => {
  const rest = [
    ...(preflights > 0 ? [plural(preflights, 'CORS preflight')] : []),
    ...(others > 0 ? [plural(others, 'other request')] : []),
  ]
  const bases = byCount(isByPath ? placed.map(({ base }) => base) : [])
  return [
    `${file}: ${thousands(placed.length)} of ${plural(entries.length, 'request')} ${placed.length === 1 ? 'is' : 'are'} for operations of the document${rest.length === 0 ? '' : ` (besides: ${rest.join(', ')})`}`,
    ...(placed.length === 0 ? hintOf(entries) : []),
    ...(bases.length > 1
      ? [
          `  they went to ${listed(bases)}, none of which is a server of the document: name the right one with --server`,
        ]
      : []),
  ]
}

const hintOf = (entries: readonly TrafficEntry[]): readonly string[] => {
  const origins = byCount(entries.map(({ origin }) => origin).filter(Boolean))
  return origins.length === 0
    ? []
    : [
        `  the file has requests to ${listed(origins)}: is this the right document, and its base path (--server)?`,
      ]
}

const invalidLines = (lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [
        'invalid requests:',
        ...lines.slice(0, mostShown),
        ...(lines.length > mostShown ? [`  and ${lines.length - mostShown} more`] : []),
      ]

const unjudgedLines = (reasons: readonly string[]): readonly string[] =>
  reasons.length === 0
    ? []
    : [`${plural(reasons.length, 'exchange')} not judged, or not to the end: ${listed(byCount(reasons))}`]

const byCount = (texts: readonly string[]): readonly (readonly [text: string, count: number])[] =>
  [...Map.groupBy(texts, text => text)]
    .map(([text, all]) => [text, all.length] as const)
    .toSorted(([, left], [, right]) => right - left)

const mostListed = 5

const listed = (counted: readonly (readonly [text: string, count: number])[]): string => {
  const shown = counted.slice(0, mostListed).map(([text, count]) => `${safeText(text)} (${count})`)
  return [...shown, ...(counted.length > mostListed ? ['others'] : [])].join(', ')
}
