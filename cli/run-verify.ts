import type { Command } from 'commander'
import { verify } from '../conformance/index.ts'
import { plural, terminal } from '../reports/index.ts'
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
import { exitCodeOf, exitCodes, UsageError } from './exit.ts'
import type { AnyFormat } from './formats.ts'
import { readBaseline, readPins, writeBaseline } from './gate-files.ts'
import { showOnGithub } from './github.ts'
import { openHar } from './har-file.ts'
import { holdMemory } from './memory.ts'
import { type Output, openOutput } from './output.ts'
import { product } from './product.ts'
import { progressOf } from './progress.ts'
import { settingsIn } from './settings.ts'
import { exitCodeOfSignal, onSignal, type Signal } from './signals.ts'
import type { SpecFlags } from './spec-flags.ts'
import { embeddedMock, named, type Target } from './target.ts'
import { colourOf, print, say } from './terminal.ts'
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
    readonly report: readonly AnyFormat[]
    readonly out: string
    readonly bundle?: string
    readonly har?: string
    readonly quiet?: boolean
    readonly verbose?: boolean
  }

export const runVerify = async (server: Target, flags: VerifyFlags, command: Command): Promise<number> => {
  holdMemory()
  const given = flags.token
  const contract = await contractOf(flags)
  const waivers = flags.waivers === undefined ? [] : readWaivers(flags.waivers)
  const baseline = baselineOf(flags)
  const pins = flags.pins === undefined ? undefined : readPins(flags.pins)
  const access = accessOf(flags, server, contract)
  const output = openOutput(flags.out, flags.report)
  const bundle =
    flags.bundle === undefined
      ? null
      : openBundle(flags.bundle, {
          contract,
          settings: settingsIn(command),
          secrets: secretsOf(given, flags),
        })
  const at = new Date()
  const har = flags.har === undefined ? null : openHar(flags.har, harOptionsOf(server, at))
  if (flags.waitFor !== undefined) say(`waiting up to ${flags.waitFor} s for an answer`)
  const progress = flags.quiet === true ? null : progressOf()
  const stop = new AbortController()
  const signals = onSignal(() => {
    say('stopping: the reports are still written; once more to leave at once')
    stop.abort()
  })
  try {
    const ledger = await withTarget(
      server,
      { contract, token: given, unauthenticated: flags.unauthenticated },
      ({ url, token: right }) =>
        verify({
          target: url,
          contract,
          ...(right === undefined ? {} : { token: right }),
          ...(flags.seed === undefined ? {} : { seed: flags.seed }),
          ...(flags.time === undefined ? {} : { seconds: flags.time }),
          ...(flags.cases === undefined ? {} : { cases: flags.cases }),
          ...(flags.only === undefined ? {} : { only: flags.only }),
          ...(flags.skip === undefined ? {} : { skip: flags.skip }),
          waivers,
          baseline,
          shrinkBaseline: flags.updateBaseline === true,
          ...(pins === undefined ? {} : { pins }),
          bail: flags.bail === true,
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
    return tell(told, output, flags, problems, signals.caught())
  } finally {
    progress?.stop()
    signals.end()
  }
}

const secretsOf = (token: string | undefined, { header = [] }: VerifyFlags): readonly Secret[] => [
  ...(token === undefined ? [] : [token]),
  ...header.map(([, value]) => ({ exact: value })),
]

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

const tell = (
  ledger: Ledger,
  output: Output,
  flags: VerifyFlags,
  problems: readonly string[],
  signal: Signal | null,
): number => {
  const onGithub = flags.report.includes('github') ? showOnGithub(ledger) : []
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
  for (const problem of [...problems, ...onGithub]) say(problem)
  if (signal !== null) return exitCodeOfSignal(signal)
  return problems.length + onGithub.length > 0 ? exitCodes.usage : exitCodeOf(ledger)
}
