import { verify } from '../conformance/index.ts'
import { type FormatName, terminal } from '../reports/index.ts'
import type { Ledger, Unauthenticated } from '../spec/index.ts'
import { accessOf } from './access.ts'
import { contractOf } from './contract.ts'
import { withTarget } from './embedded.ts'
import { exitCodeOf, exitCodes } from './exit.ts'
import { holdMemory } from './memory.ts'
import { type Output, openOutput } from './output.ts'
import { product } from './product.ts'
import { progressOf } from './progress.ts'
import { openShard, type Shard } from './run-shard.ts'
import { exitCodeOfSignal, onSignal, type Signal } from './signals.ts'
import type { SpecFlags } from './spec-flags.ts'
import { named, type Target } from './target.ts'
import { colourOf, print, say, tokenOf } from './terminal.ts'
import type { TransportFlags } from './transport-flags.ts'
import { readWaivers } from './waivers.ts'

export type VerifyFlags = SpecFlags &
  TransportFlags & {
    readonly token?: string
    readonly seed?: number
    readonly cases?: number
    readonly only?: readonly string[]
    readonly skip?: readonly string[]
    readonly bail?: boolean
    readonly shard?: Shard
    readonly time?: number
    readonly concurrency: number
    readonly waitFor?: number
    readonly unauthenticated: Unauthenticated
    readonly strict?: boolean
    readonly waivers?: string
    readonly wire?: boolean
    readonly report: readonly FormatName[]
    readonly out: string
    readonly quiet?: boolean
    readonly verbose?: boolean
  }

export const runVerify = async (server: Target, flags: VerifyFlags): Promise<number> => {
  holdMemory()
  const given = tokenOf(flags.token)
  const contract = await contractOf(flags)
  const waivers = flags.waivers === undefined ? [] : readWaivers(flags.waivers)
  const access = accessOf(flags, server, contract)
  const output =
    flags.shard === undefined ? openOutput(flags.out, flags.report) : openShard(flags.shard, flags)
  if (flags.waitFor !== undefined) say(`waiting up to ${flags.waitFor} s for an answer`)
  const progress = flags.quiet === true || flags.shard !== undefined ? null : progressOf()
  const stop = new AbortController()
  const signals = onSignal(() => {
    say('stopping: the reports are still written; once more to leave at once')
    stop.abort()
  })
  const plan = {
    contract,
    ...(flags.cases === undefined ? {} : { cases: flags.cases }),
    ...(flags.only === undefined ? {} : { only: flags.only }),
    ...(flags.skip === undefined ? {} : { skip: flags.skip }),
    waivers,
    concurrency: flags.concurrency,
    ...(flags.waitFor === undefined ? {} : { waitSeconds: flags.waitFor }),
    unauthenticated: flags.unauthenticated,
    strict: flags.strict === true,
    wire: flags.wire === true,
    ...access,
    product,
    signal: stop.signal,
  }
  const reach = { contract, token: given, unauthenticated: flags.unauthenticated }
  try {
    if ('send' in output) {
      const code = await withTarget(server, reach, reached => output.send(plan, reached))
      const signal = signals.caught()
      return signal === null ? code : exitCodeOfSignal(signal)
    }
    const ledger = await withTarget(server, reach, ({ url, token: right }) =>
      verify({
        ...plan,
        target: url,
        ...(right === undefined ? {} : { token: right }),
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(flags.time === undefined ? {} : { seconds: flags.time }),
        bail: flags.bail === true,
        onEvent: event => {
          const told = named(event, server)
          output.event(told)
          progress?.event(told)
        },
      }),
    )
    progress?.stop()
    return tell({ ...ledger, start: named(ledger.start, server) }, output, flags, signals.caught())
  } finally {
    progress?.stop()
    signals.end()
  }
}

const tell = (ledger: Ledger, output: Output, flags: VerifyFlags, signal: Signal | null): number => {
  const problems = output.finish(ledger)
  const report = flags.report.includes('html') ? output.path('html') : flags.report.map(output.path)[0]
  const verbosity = flags.quiet === true ? 'quiet' : flags.verbose === true ? 'verbose' : 'normal'
  print(
    terminal(ledger, {
      colour: colourOf(process.stdout),
      verbosity,
      ledger: output.path('ndjson'),
      report: report ?? null,
    }),
  )
  for (const problem of problems) say(problem)
  if (signal !== null) return exitCodeOfSignal(signal)
  return problems.length > 0 ? exitCodes.usage : exitCodeOf(ledger)
}
