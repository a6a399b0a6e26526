import { type Replayed, replay } from '../../conformance/index.ts'
import { safeLines } from '../../reports/index.ts'
import {
  describeResponse,
  type Ledger,
  recordOutcome,
  recordRequest,
  redact,
  unauthenticatedOf,
} from '../../spec/index.ts'
import { accessOf } from '../inputs/access.ts'
import { contractOf } from '../inputs/contract.ts'
import { withTarget } from '../inputs/embedded.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { embeddedMock, type Target } from '../options/server-target.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TransportFlags } from '../options/transport-flags.ts'
import { print } from '../outputs/terminal.ts'
import { exitCodes, UsageError } from '../process/exit.ts'

export type ReplayFlags = SpecFlags &
  TransportFlags & {
    readonly target?: Target
    readonly token?: string
  }

export const runReplay = async (file: string, id: string, flags: ReplayFlags): Promise<number> => {
  const ledger = ledgerFrom(file)
  const contract = await contractOf(flags)
  if (contract.digest !== ledger.start.contract.digest)
    throw new UsageError(
      `the ledger is of another contract (${ledger.start.contract.title}, ${ledger.start.contract.source}): give its document with --spec`,
    )
  const given = flags.token
  const server = flags.target ?? targetOf(ledger)
  const access = accessOf(flags, server, contract)
  return withTarget(
    server,
    { contract, token: given, unauthenticated: unauthenticatedOf(ledger) },
    async ({ url, token: right }) => {
      const replayed = await replay({
        contract,
        ledger,
        id,
        target: url,
        token: right ?? null,
        seed: Date.now() % 2 ** 31,
        ...access,
      })
      return tell(replayed)
    },
  )
}

const targetOf = ({ start }: Ledger): Target => {
  if (start.target === embeddedMock) return embeddedMock
  if (URL.canParse(start.target)) return new URL(start.target)
  throw new UsageError('the ledger names no server that can be asked again: give one with --target')
}

const tell = (replayed: Replayed): number => {
  const { obligation, expectation, request, outcome, violations, secrets } = replayed
  const sent = recordRequest(request, 2000)
  const came = recordOutcome(outcome, secrets, 2000)
  const answer =
    outcome.kind === 'response' && came.kind === 'response'
      ? describeResponse({ ...outcome.response, body: Buffer.from(came.body.data, came.body.encoding) })
      : `no answer: ${came.kind === 'failure' ? came.detail : ''}`
  const lines = [
    `${obligation.id}  ${obligation.level} · ${obligation.requirement}`,
    `  sent      ${sent.method} ${sent.target} ${sent.body?.data ?? ''}`,
    `  expected  ${expectation}`,
    `  actual    ${answer}`,
    ...violations.map(
      ({ id, expected, actual }) => `  failed    ${id}: expected ${expected}, actual ${actual}`,
    ),
    violations.length === 0 ? 'PASSED' : 'FAILED',
  ]
  // A server may give back what it was shown, and a flaw tells what the server gave.
  print(lines.map(line => safeLines(redact(line, secrets))).join('\n'))
  if (outcome.kind === 'failure' && (outcome.failure === 'refused' || outcome.failure === 'unreachable'))
    return exitCodes.inconclusive
  return violations.length === 0 ? exitCodes.conforms : exitCodes.broken
}
