import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { verify } from '../../conformance/index.ts'
import {
  type Comparison,
  compareServers,
  comparisonJson,
  comparisonPage,
  comparisonText,
} from '../../reports/index.ts'
import type { Contract, Ledger } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import { withTarget } from '../inputs/embedded.ts'
import { secretsOf } from '../inputs/tokens/secrets.ts'
import { inWfcForm, otherTokenOf, type Token, tokenOf, wfcOf } from '../inputs/tokens/token.ts'
import { embeddedMock, type Target, withTargetName } from '../options/server-flags.ts'
import { writeWhole } from '../outputs/whole-file.ts'
import { exitCodeOfSignal, exitCodes, onSignal, UsageError } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { isColoured, print, say } from '../process/terminal.ts'
import { verifyOptionsOf } from './verify.ts'

export type CompareFlags = Parameters<typeof verifyOptionsOf>[0] & {
  readonly tokenB?: string
  readonly otherTokenB?: string
  readonly failOn: 'verdicts' | 'any'
  readonly format: 'text' | 'json'
  readonly report?: readonly 'html'[]
  readonly out: string
}

export const runCompare = async (
  servers: readonly [a: Target, b: Target],
  flags: CompareFlags,
  command: Command,
): Promise<number> => {
  limitHeapGrowth()
  const contract = await contractOf(flags)
  const stop = new AbortController()
  const signals = onSignal(() => {
    say('stopping; press again to exit at once')
    stop.abort()
  })
  try {
    const comparison = await compare(servers, flags, command, contract, stop.signal)
    const problem = writePage(comparison, flags)
    const options = { colour: isColoured(process.stdout), all: flags.verbose === true }
    print(flags.format === 'json' ? comparisonJson(comparison) : comparisonText(comparison, options))
    if (problem !== null) throw new UsageError(problem)
    const caught = signals.caught()
    return caught === null ? exitCodeFor(comparison, flags.failOn) : exitCodeOfSignal(caught)
  } finally {
    signals.end()
  }
}

const compare = (
  servers: readonly [a: Target, b: Target],
  flags: CompareFlags,
  command: Command,
  contract: Contract,
  signal: AbortSignal,
): Promise<Comparison> => {
  const seed = flags.seed ?? randomInt(2 ** 31)
  // One plan for both: what the mock does not keep, the other server is not asked either.
  const stateless = flags.stateless === true || servers.includes(embeddedMock)
  const isTokenOfMock = servers.every(server => server === embeddedMock)
  const runOn = (server: Target, name: string, own: OwnTokens) => async (): Promise<Ledger> => {
    say(`sending the plan to ${name}: ${server === embeddedMock ? server : server.href}`)
    const at = new Date()
    const given = verifyOptionsOf({ ...flags, seed, stateless }, server, contract, at)
    const options = inWfcForm(given, wfcOf(flags, command, given, server))
    const token: Token = own.token ?? tokenOf(flags, command, contract, options, server)
    const otherToken: Token = own.otherToken ?? otherTokenOf(flags, command, given, server)
    const reached = { ...flags, contract, token, takesAnyToken: !isTokenOfMock }
    const ledger = await withTarget(server, reached, found =>
      verify({ ...options, ...found, secrets: secretsOf(flags, contract, []), otherToken, signal }),
    )
    return { ...ledger, start: withTargetName(ledger.start, server) }
  }
  const ofB = { token: flags.tokenB, otherToken: flags.otherTokenB }
  return compareServers(contract, [runOn(servers[0], 'A', {}), runOn(servers[1], 'B', ofB)])
}

/** The tokens of one server alone. */
type OwnTokens = { readonly token?: string | undefined; readonly otherToken?: string | undefined }

/** Why the page could not be written; null if it was, or nobody asked for it. */
const writePage = (comparison: Comparison, { report = [], out }: CompareFlags): string | null => {
  if (report.length === 0) return null
  const file = join(out, 'compare.html')
  try {
    mkdirSync(out, { recursive: true })
    writeWhole(file, [comparisonPage(comparison)])
  } catch (error) {
    return `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): give another folder with --out`
  }
  say(`written: ${file}`)
  return null
}

const exitCodeFor = (
  { problems, verdicts, questions }: Comparison,
  failOn: CompareFlags['failOn'],
): number => {
  if (problems.length > 0) return exitCodes.inconclusive
  const counted = failOn === 'any' ? verdicts.length + questions.length : verdicts.length
  return counted > 0 ? exitCodes.nonconformant : exitCodes.conformant
}
