import type { Command } from 'commander'
import { verify } from '../conformance/index.ts'
import { plural } from '../reports/index.ts'
import {
  type Accepted,
  type Ledger,
  type Secret,
  shrunk,
  type Unauthenticated,
  type Waiver,
} from '../spec/index.ts'
import { accessOf } from './access.ts'
import { openBundle } from './bundle-file.ts'
import { contractOf } from './contract.ts'
import { withTarget } from './embedded.ts'
import { exitCodes, UsageError } from './exit.ts'
import { readBaseline, readPins, writeBaseline } from './gate-files.ts'
import { openHar } from './har-file.ts'
import { holdMemory } from './memory.ts'
import { openOutput } from './output.ts'
import { product } from './product.ts'
import { progressOf } from './progress.ts'
import { openShard, type Shard } from './run-shard.ts'
import { shownSettings } from './settings.ts'
import { exitCodeOfSignal, onSignal, type Signal } from './signals.ts'
import type { SpecFlags } from './spec-flags.ts'
import { embeddedMock, named, type Target } from './target.ts'
import { type TellFlags, tell } from './tell.ts'
import { say } from './terminal.ts'
import type { TransportFlags } from './transport-flags.ts'
import { readWaivers } from './waivers.ts'

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
    readonly unauthenticated: Unauthenticated
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
    wire: flags.wire === true,
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
    updateBaseline(flags, baseline, ledger)
    const told = { ...ledger, start: named(ledger.start, server) }
    const problems = [
      ...output.finish(told),
      ...(har?.finish() ?? []),
      ...(bundle?.write(output.path('ndjson')) ?? []),
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

const baselineOf = ({ baseline, updateBaseline }: VerifyFlags): readonly Accepted[] => {
  if (baseline !== undefined) return readBaseline(baseline)
  if (updateBaseline === true)
    throw new UsageError('--update-baseline needs the file that is to shrink: give --baseline as well')
  return []
}

const updateBaseline = (
  { baseline: file, updateBaseline: isWanted }: VerifyFlags,
  before: readonly Accepted[],
  ledger: Ledger,
): void => {
  if (file === undefined || isWanted !== true) return
  const left = shrunk(before, ledger)
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
