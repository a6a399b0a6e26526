import type { Command } from 'commander'
import { type Replayed, replay } from '../../conformance/index.ts'
import { regressionTestOf, requestLine, type TestFormat, writeTest } from '../../reports/index.ts'
import {
  type Contract,
  describeResponse,
  type Ledger,
  recordOutcome,
  recordRequest,
  redact,
  safeLines,
  statusPolicyOf,
} from '../../spec/index.ts'
import { accessOf } from '../inputs/access.ts'
import { contractOfLedger } from '../inputs/contract.ts'
import { withTarget } from '../inputs/embedded.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { isLoopback } from '../inputs/loopback.ts'
import { secretsNow, secretsOf } from '../inputs/tokens/secrets.ts'
import { hasToken, inWfcForm, otherTokenOf, tokenNow, tokenOf, wfcOf } from '../inputs/tokens/token.ts'
import { variableOf } from '../options/environment.ts'
import type { OtherUserFlags } from '../options/selection-flags.ts'
import { embeddedMock, type Target } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TokenFlags } from '../options/token-flags.ts'
import type { TransportFlags } from '../options/transport-flags.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { print } from '../process/terminal.ts'

export type ReplayFlags = SpecFlags &
  TransportFlags &
  TokenFlags &
  OtherUserFlags & {
    readonly target?: Target
    readonly cause?: boolean
    readonly as?: TestFormat
  }

/** Findings of one cause that are sent again: more say no more. */
const mostOfCause = 20

export const runReplay = async (
  file: string,
  id: string,
  flags: ReplayFlags,
  command: Command,
): Promise<number> => {
  const ledger = ledgerFrom(file)
  const contract = await contractOfLedger(flags, ledger)
  if (flags.as !== undefined) return printTest(ledger, contract, id, flags.as)
  const server = flags.target ?? targetOf(ledger, hasToken(flags))
  const given = { ...accessOf(flags, server, contract), auth: flags.auth }
  const access = inWfcForm(given, wfcOf(flags, command, given, server))
  const right = await tokenNow(tokenOf(flags, command, contract, access, server))
  const otherToken = await tokenNow(otherTokenOf(flags, command, given, server))
  const embedded = { contract, token: right, unauthenticated: statusPolicyOf(ledger).unauthenticated }
  const seed = Date.now() % 2 ** 31
  const ids = flags.cause === true ? idsOfCause(ledger, id) : [id]
  return withTarget(server, embedded, async ({ target, token }) => {
    const codes: number[] = []
    for (const [index, each] of ids.entries())
      codes.push(
        printReplayed(
          await replay({
            ...{ contract, ledger, id: each, target, token: (await tokenNow(token)) ?? null, otherToken },
            ...{ secrets: await secretsNow(secretsOf(flags, contract, [])), seed: seed + index, ...access },
          }),
        ),
      )
    const failed = codes.filter(code => code === exitCodes.nonconformant).length
    if (ids.length > 1) print(`${failed} of ${ids.length} requests of this cause failed`)
    return failed > 0 ? exitCodes.nonconformant : Math.max(...codes)
  })
}

/** Prints a finding as a test of another tool. */
const printTest = (ledger: Ledger, { operations }: Contract, id: string, format: TestFormat): number => {
  const finding = ledger.findings.find(each => each.id === id)
  const of = ledger.start.obligations.find(obligation => obligation.id === finding?.obligation)?.operation
  const operation = operations.find(each => each.id === of)
  if (finding === undefined || operation === undefined)
    throw new UsageError(`the ledger has no finding ${id}: plantstore report lists them`)
  const test = regressionTestOf(ledger, finding, operation)
  if ('problem' in test)
    throw new UsageError(
      `finding ${id} is no test of one request: ${test.problem} (without --as it is sent again)`,
    )
  print(writeTest(format, test).trimEnd())
  return exitCodes.conformant
}

/** The findings of the same cause, the one that was asked for first. */
const idsOfCause = ({ findings }: Ledger, id: string): readonly string[] => {
  const key = findings.find(finding => finding.id === id)?.cause?.key
  const others = findings.flatMap(finding =>
    key !== undefined && finding.cause?.key === key && finding.id !== id ? [finding.id] : [],
  )
  return [id, ...new Set(others)].slice(0, mostOfCause)
}

/** The server that the ledger names. Who made the ledger must not decide which host gets the user's token. */
const targetOf = ({ start }: Ledger, isTokenGiven: boolean): Target => {
  if (start.target === embeddedMock) return embeddedMock
  if (!URL.canParse(start.target))
    throw new UsageError('the ledger does not name a server to send to: give one with --target')
  const server = new URL(start.target)
  const configured = variableOf('url')?.value ?? ''
  const isKnown = URL.canParse(configured) && new URL(configured).host === server.host
  if (isTokenGiven && !isKnown && !isLoopback(server))
    throw new UsageError(
      `the token would be sent to ${server.host}, which only the ledger names: confirm it with --target ${server.href}`,
    )
  return server
}

const longestBody = 2000

const resultOf = (id: string, violations: Replayed['violations']): string => {
  if (violations.length === 0) return 'PASSED'
  return violations.some(violation => violation.id === id)
    ? 'FAILED'
    : `FAILED: ${id} is met now, but the response breaks another requirement`
}

const printReplayed = (replayed: Replayed): number => {
  const { obligation, expectation, request, outcome, violations, secrets } = replayed
  const sent = recordRequest(request, longestBody)
  const received = recordOutcome(outcome, secrets, longestBody)
  const response =
    outcome.kind === 'response' && received.kind === 'response'
      ? describeResponse({
          ...outcome.response,
          body: Buffer.from(received.body.data, received.body.encoding),
        })
      : `no response: ${received.kind === 'failure' ? received.detail : ''}`
  const lines = [
    `${obligation.id}  ${obligation.level} · ${obligation.requirement}`,
    `  request   ${requestLine(sent, longestBody)}`,
    `  expected  ${expectation}`,
    `  actual    ${response}`,
    ...violations.map(
      ({ id, title, expected, actual }) =>
        `  failed    ${id}: ${title ?? `expected ${expected}, actual ${actual}`}`,
    ),
    resultOf(obligation.id, violations),
  ]
  // A server may echo a secret, and a violation quotes the response.
  print(lines.map(line => safeLines(redact(line, secrets))).join('\n'))
  if (outcome.kind === 'failure' && (outcome.failure === 'refused' || outcome.failure === 'unreachable'))
    return exitCodes.inconclusive
  return violations.length === 0 ? exitCodes.conformant : exitCodes.nonconformant
}
