import { type Replayed, replay } from '../conformance/index.ts'
import { safeLines } from '../reports/index.ts'
import {
  describeAnswer,
  type Ledger,
  recordOutcome,
  recordRequest,
  redact,
  unauthenticatedOf,
} from '../spec/index.ts'
import { accessOf } from './access.ts'
import { contractOf } from './contract.ts'
import { withTarget } from './embedded.ts'
import { exitCodes, UsageError } from './exit.ts'
import { ledgerFrom } from './ledger.ts'
import type { SpecFlags } from './spec-flags.ts'
import { embeddedMock, type Target } from './target.ts'
import { print } from './terminal.ts'
import type { TransportFlags } from './transport-flags.ts'

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
  const { obligation, expected, request, outcome, flaws, secrets } = replayed
  const sent = recordRequest(request, 2000)
  const came = recordOutcome(outcome, secrets, 2000)
  const answer =
    outcome.kind === 'answer' && came.kind === 'answer'
      ? describeAnswer({ ...outcome.answer, body: Buffer.from(came.body.data, came.body.encoding) })
      : `no answer: ${came.kind === 'failure' ? came.detail : ''}`
  const lines = [
    `${obligation.id}  ${obligation.level} · ${obligation.promise}`,
    `  sent      ${sent.method} ${sent.target} ${sent.body?.data ?? ''}`,
    `  expected  ${expected}`,
    `  got       ${answer}`,
    ...flaws.map(flaw => `  broken    ${flaw.id}: wanted ${flaw.wanted}, got ${flaw.got}`),
    flaws.length === 0 ? 'KEPT' : 'BROKEN',
  ]
  // A server may give back what it was shown, and a flaw tells what the server gave.
  print(lines.map(line => safeLines(redact(line, secrets))).join('\n'))
  if (outcome.kind === 'failure' && (outcome.failure === 'refused' || outcome.failure === 'unreachable'))
    return exitCodes.inconclusive
  return flaws.length === 0 ? exitCodes.conforms : exitCodes.broken
}
