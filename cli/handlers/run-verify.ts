import type { Command } from 'commander'
import { verify } from '../../conformance/index.ts'
import { plural } from '../../reports/index.ts'
import {
  type BaselineEntry,
  type Ledger,
  type Secret,
  type UnauthenticatedPolicy,
  type Waiver,
  withoutFixed,
} from '../../spec/index.ts'
import { shownSettings } from '../config/settings.ts'
import { accessOf } from '../inputs/access.ts'
import { readBaseline, readPins, writeBaseline } from '../inputs/baseline-and-pins.ts'
import { contractOf } from '../inputs/contract.ts'
import { withTarget } from '../inputs/embedded.ts'
import { readWaivers } from '../inputs/waivers.ts'
import { embeddedMock, named, type Target } from '../options/server-target.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TransportFlags } from '../options/transport-flags.ts'
import { openBundle } from '../outputs/bundle-file.ts'
import { openHar } from '../outputs/har-file.ts'
import { openOutput } from '../outputs/output.ts'
import { type TellFlags, tell } from '../outputs/print-run.ts'
import { progressOf } from '../outputs/progress.ts'
import { say } from '../outputs/terminal.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { holdMemory } from '../process/heap-limit.ts'
import { product } from '../process/product.ts'
import { exitCodeOfSignal, onSignal, type Signal } from '../process/signals.ts'
import { openShard, type Shard } from './run-shard.ts'

export type VerifyFlags = SpecFlags &
  TransportFlags &
  TellFlags & {
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
    readonly unauthenticated: UnauthenticatedPolicy
    readonly strict?: boolean
    readonly waivers?: string | readonly Waiver[]
    readonly baseline?: string
    readonly updateBaseline?: boolean
    readonly pins?: string
    readonly wire?: boolean
    readonly out: string
    readonly har?: string
    readonly bundle?: string
  }

export const runVerify = async (server: Target, flags: VerifyFlags, command: Command): Promise<number> => {
  holdMemory()
  const given = flags.token
  const contract = await contractOf(flags)
  const waivers = flags.waivers === undefined ? [] : readWaivers(flags.waivers)
  const baseline = baselineOf(flags)
  const pins = flags.pins === undefined ? undefined : readPins(flags.pins)
  const access = accessOf(flags, server, contract)
  const output =
    flags.shard === undefined ? openOutput(flags.out, flags.report) : openShard(flags.shard, flags)
  const at = new Date()
  const har = flags.har === undefined ? null : openHar(flags.har, harOptionsOf(server, at))
  const bundle =
    flags.bundle === undefined || flags.shard !== undefined
      ? null
      : openBundle(flags.bundle, {
          contract,
          settings: shownSettings(command),
          secrets: secretsOf(given, flags),
        })
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
    baseline,
    shrinkBaseline: flags.updateBaseline === true,
    ...(pins === undefined ? {} : { pins }),
    concurrency: flags.concurrency,
    ...(flags.waitFor === undefined ? {} : { waitSeconds: flags.waitFor }),
    unauthenticated: flags.unauthenticated,
    strict: flags.strict === true,
    malformedHttp: flags.wire === true,
    ...access,
    product,
    at: at.toISOString(),
    ...(har === null ? {} : { onExchange: har.add }),
    signal: stop.signal,
  }
  const reach = { contract, token: given, unauthenticated: flags.unauthenticated }
  try {
    if ('send' in output) {
      const code = await withTarget(server, reach, reached => output.send(plan, reached))
      const problems = har?.finish() ?? []
      for (const problem of problems) say(problem)
      return afterSignal(signals.caught(), problems.length > 0 ? exitCodes.usage : code)
    }
    const ledger = await withTarget(server, reach, ({ url, token: right }) =>
      verify({
        ...plan,
        target: url,
        ...(right === undefined ? {} : { token: right }),
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(flags.time === undefined ? {} : { maxSeconds: flags.time }),
        bail: flags.bail === true,
        onEvent: event => {
          const told = named(event, server)
          output.event(told)
          progress?.event(told)
        },
      }),
    )
    progress?.stop()
    updateBaseline(flags, baseline, ledger)
    const told = { ...ledger, start: named(ledger.start, server) }
    const problems = [
      ...output.finish(told),
      ...(har?.finish() ?? []),
      ...(bundle?.write(output.ledger) ?? []),
    ]
    return afterSignal(signals.caught(), tell(told, output, flags, problems))
  } finally {
    progress?.stop()
    signals.end()
  }
}

const harOptionsOf = (server: Target, at: Date) => ({
  product,
  origin: { base: server === embeddedMock ? `http://${server}` : server.href, began: at.getTime() },
})

const baselineOf = ({ baseline, updateBaseline }: VerifyFlags): readonly BaselineEntry[] => {
  if (baseline !== undefined) return readBaseline(baseline)
  if (updateBaseline === true)
    throw new UsageError('--update-baseline needs the file that is to shrink: give --baseline as well')
  return []
}

const updateBaseline = (
  { baseline: file, updateBaseline: isWanted }: VerifyFlags,
  before: readonly BaselineEntry[],
  ledger: Ledger,
): void => {
  if (file === undefined || isWanted !== true) return
  const left = withoutFixed(before, ledger)
  if (left.length === before.length) return
  writeBaseline(file, left)
  say(
    `left the baseline ${file}: ${plural(before.length - left.length, 'promise')}; still in it: ${left.length}`,
  )
}
const afterSignal = (signal: Signal | null, code: number): number =>
  signal === null ? code : exitCodeOfSignal(signal)

const secretsOf = (token: string | undefined, { header = [] }: VerifyFlags): readonly Secret[] => [
  ...(token === undefined ? [] : [token]),
  ...header.map(([, value]) => ({ exact: value })),
]
