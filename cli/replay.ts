import { Argument, Command, Option } from 'commander'
import { replay } from '../conformance/index.ts'
import { safeLines } from '../reports/index.ts'
import { describeAnswer, recordOutcome, recordRequest } from '../spec/index.ts'
import { exitCodes, UsageError } from './exit.ts'
import { duration, target, token } from './parse.ts'
import { ledgerFrom } from './report.ts'
import { contractOf, type SpecFlags, specOptions } from './spec.ts'
import { print, tokenOf } from './terminal.ts'

type Flags = SpecFlags & { readonly target?: URL; readonly token?: string; readonly timeout: number }

export const replayCommand = (leave: (code: number) => void): Command => {
  const command = new Command('replay')
    .summary('send one recorded case again')
    .description(
      'Sends one case of a recorded run again and judges the answer anew: 0 where all is kept now, 1 where it is\nbroken still. Where a valid request created something, it is sent with a fresh id.',
    )
    .addArgument(new Argument('<ledger>', 'a ledger.ndjson'))
    .addArgument(new Argument('<id>', 'the id of a finding or a case'))
  for (const option of specOptions()) command.addOption(option)
  return command
    .addOption(new Option('--target <url>', 'another server than that of the run').argParser(target))
    .addOption(new Option('--token <token>', 'the right token (or PLANTSTORE_TOKEN)').argParser(token))
    .addOption(
      new Option('--timeout <duration>', 'how long the answer may take').argParser(duration).default(5, '5s'),
    )
    .action(async (file: string, id: string, flags: Flags) => leave(await runReplay(file, id, flags)))
}

const runReplay = async (file: string, id: string, flags: Flags): Promise<number> => {
  const ledger = ledgerFrom(file)
  const contract = await contractOf(flags)
  if (contract.digest !== ledger.start.contract.digest)
    throw new UsageError(
      `the ledger is of another contract (${ledger.start.contract.title}, ${ledger.start.contract.source}): give its document with --spec`,
    )
  const right = tokenOf(flags.token)
  const { obligation, expected, request, outcome, flaws } = await replay({
    contract,
    ledger,
    id,
    target: flags.target ?? new URL(ledger.start.target),
    token: right ?? null,
    seed: Date.now() % 2 ** 31,
    timeoutMs: flags.timeout * 1000,
  })
  const sent = recordRequest(request, 2000)
  const tokens = right === undefined ? [] : [right]
  const came = recordOutcome(outcome, tokens, 2000)
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
  print(lines.map(line => safeLines(line)).join('\n'))
  if (outcome.kind === 'failure' && (outcome.failure === 'refused' || outcome.failure === 'unreachable'))
    return exitCodes.inconclusive
  return flaws.length === 0 ? exitCodes.conforms : exitCodes.broken
}
