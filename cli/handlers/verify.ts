import { resolve } from 'node:path'
import type { Command } from 'commander'
import { secretsIn, type VerifyOptions, verify } from '../../conformance/index.ts'
import {
  type BaselineEntry,
  type Contract,
  type RunEvent,
  seedOfNonce,
  type UnauthenticatedPolicy,
  type UndeclaredFailurePolicy,
  type Waiver,
} from '../../spec/index.ts'
import { shownSettings } from '../config/shown-settings.ts'
import { accessOf } from '../inputs/access.ts'
import { contractOf } from '../inputs/contract.ts'
import { type Reached, withTarget } from '../inputs/embedded.ts'
import { examplesIn } from '../inputs/examples.ts'
import { preparedFixtures, stateOf } from '../inputs/fixtures.ts'
import { baselineOf, readPins, waiversWithin } from '../inputs/gate-files.ts'
import { secretsOf } from '../inputs/tokens/secrets.ts'
import { inWfcForm, listed, otherTokenOf, tokenOf, wfcOf } from '../inputs/tokens/token.ts'
import { ciRun } from '../options/environment.ts'
import type { HookFlags } from '../options/hook-flags.ts'
import { minTestedOf } from '../options/output-flags.ts'
import { type RecordFlags, testedProductOf } from '../options/record-flags.ts'
import { type OtherUserFlags, responseTimeLimit, type SelectionFlags } from '../options/selection-flags.ts'
import { embeddedMock, type Target, withTargetName } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { type ListenFlags, listenOf, type StateFlags } from '../options/state-flags.ts'
import type { TokenFlags } from '../options/token-flags.ts'
import type { TransportFlags } from '../options/transport-flags.ts'
import { openBundle } from '../outputs/bundle-file.ts'
import { openHar } from '../outputs/har-file.ts'
import { type Output, openOutput } from '../outputs/output.ts'
import { type PrintFlags, printRun, startProgress } from '../outputs/print-run.ts'
import { exitCodeAfter, exitCodes, onSignal, UsageError } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { product } from '../process/product.ts'
import { say } from '../process/terminal.ts'
import {
  checkNamed,
  sayBeforeRun,
  sayIfOwnContract,
  suggestOverlay,
  updateBaseline,
} from './verify/around-run.ts'
import { withHooks } from './verify/hooks.ts'
import { openShard, type Shard } from './verify/shard.ts'

export type VerifyFlags = SpecFlags &
  SelectionFlags &
  TransportFlags &
  TokenFlags &
  OtherUserFlags &
  HookFlags &
  StateFlags &
  ListenFlags &
  RecordFlags &
  PrintFlags & {
    readonly seed?: number
    readonly cases?: number
    readonly bail?: boolean
    readonly shard?: Shard
    readonly maxTime?: number
    readonly concurrency: number
    readonly waitFor?: number
    readonly unauthenticated: UnauthenticatedPolicy
    readonly undeclaredFailures: UndeclaredFailurePolicy
    readonly strict?: boolean
    readonly waivers?: string | readonly Waiver[]
    readonly maxWaiverDays?: number
    readonly baseline?: string
    readonly updateBaseline?: boolean
    readonly pins?: string
    readonly examples?: string
    readonly malformedHttp?: boolean
    readonly maxResponseTime?: readonly string[]
    readonly out: string
    readonly har?: string
    readonly bundle?: string
    readonly suggestOverlay?: string
  }

export const runVerify = async (server: Target, flags: VerifyFlags, command: Command): Promise<number> => {
  limitHeapGrowth()
  checkNamed(server, flags.spec, command)
  if (flags.nonce !== undefined && flags.seed !== undefined)
    say('the requests follow from the seed that is given, and not from the nonce: leave the seed out')
  const contract = await contractOf(flags)
  const at = new Date()
  const given = verifyOptionsOf(flags, server, contract, at)
  const options = inWfcForm(given, wfcOf(flags, command, given, server))
  const output = flags.shard === undefined ? openOutput(flags.out, flags.report) : null
  try {
    return await runInto(output, server, flags, command, options)
  } finally {
    output?.close()
  }
}

const runInto = async (
  output: Output | null,
  server: Target,
  flags: VerifyFlags,
  command: Command,
  options: RunOptions,
): Promise<number> => {
  const { contract } = options
  const shard =
    flags.shard === undefined ? null : openShard(flags.shard, { seed: options.seed, out: flags.out })
  const tokens: string[] = []
  const token = listed(tokenOf(flags, command, contract, options, server), tokens)
  const otherToken = listed(otherTokenOf(flags, command, options, server), tokens)
  const secrets = secretsOf(flags, contract, tokens)
  const settings = {
    contract,
    settings: shownSettings(command),
    secrets: () => [...tokens, ...secretsIn(options)],
  }
  const bundle = flags.bundle === undefined || shard !== null ? null : openBundle(flags.bundle, settings)
  const stop = new AbortController()
  const signals = onSignal(() => {
    say('stopping, and writing the reports; press again to exit at once')
    stop.abort()
  })
  const send = async (reached: Reached): Promise<number> => {
    // The time that `--before` took is not part of the run.
    const at = new Date()
    const har = flags.har === undefined ? null : openHar(flags.har, { product, origin: originOf(server, at) })
    const run = {
      ...options,
      ...reached,
      otherToken,
      secrets,
      fixtures: { ...options.fixtures, ...(await preparedFixtures(flags, contract, reached.target)) },
      examples: await examplesIn(flags.examples, contract, reached.target),
      at: at.toISOString(),
      onExchange: har?.add,
      signal: stop.signal,
    }
    sayBeforeRun(run)
    if (flags.waitFor !== undefined) say(`waiting up to ${flags.waitFor} s for the first response`)
    if (shard !== null) {
      const code = await shard.send(run)
      const problems = har?.finish() ?? []
      for (const problem of problems) say(problem)
      return problems.length > 0 ? exitCodes.usage : code
    }
    if (output === null) throw new Error('a run needs an output folder')
    const progress = flags.quiet === true ? null : startProgress()
    try {
      const onEvent = (event: RunEvent): void => {
        const named = withTargetName(event, server)
        output.event(named)
        progress?.event(named)
      }
      const verified = await verify({ ...run, onEvent, watch: progress?.watch })
      progress?.stop()
      // The reports need none of it, and of a large contract they need the room.
      for (const { schemas } of [contract.requests, contract.responses]) schemas.free()
      updateBaseline(flags, options.baseline, verified)
      suggestOverlay(flags, contract, verified, run.token !== undefined)
      sayIfOwnContract(contract, verified)
      const ledger = { ...verified, start: withTargetName(verified.start, server) }
      const problems = [
        ...output.finish(ledger),
        ...(har?.finish() ?? []),
        ...(bundle?.write(output.ledger()) ?? []),
      ]
      return printRun(ledger, output, flags, problems, exitCodeOf)
    } finally {
      progress?.stop()
    }
  }
  const exitCodeOf = (code: number): number => exitCodeAfter(signals.caught(), code)
  try {
    const exitCode = await withTarget(server, { ...flags, contract, token }, reached =>
      withHooks(
        flags,
        {
          url: reached.target,
          ledger: () => (output === null ? null : resolve(output.ledger())),
          stop: stop.signal,
          exitCodeAfter: exitCodeOf,
          isQuiet: flags.quiet === true,
        },
        () => send(reached),
      ),
    )
    return exitCodeOf(exitCode)
  } finally {
    signals.end()
  }
}

type RunOptions = Omit<VerifyOptions, 'target' | 'token'> & {
  readonly contract: Contract
  readonly baseline: readonly BaselineEntry[]
  readonly at: string
}

/** The flags as options of `verify`, with their files read. Throws UsageError. */
export const verifyOptionsOf = (
  flags: Omit<VerifyFlags, 'out' | 'report' | 'hookTimeout'>,
  server: Target,
  contract: Contract,
  at: Date,
): RunOptions => ({
  ...accessOf(flags, server, contract),
  contract,
  seed: flags.seed ?? (flags.nonce === undefined ? undefined : seedOfNonce(flags.nonce)),
  testedProduct: testedProductOf(flags),
  runBy: flags.runBy,
  nonce: flags.nonce,
  cases: flags.cases,
  maxSeconds: flags.maxTime,
  // Since the process began; hooks are not part of the run.
  msBefore: performance.now(),
  ...{ only: flags.only, skip: flags.skip, never: flags.never },
  // Of the embedded mock nothing can be destroyed.
  include: flags.include ?? (server === embeddedMock ? ['/*'] : undefined),
  bail: flags.bail,
  concurrency: flags.concurrency,
  waitSeconds: flags.waitFor,
  auth: flags.auth,
  unauthenticated: flags.unauthenticated,
  undeclaredFailures: flags.undeclaredFailures,
  strict: flags.strict,
  malformedHttp: flags.malformedHttp,
  ...stateOf(flags, server, contract),
  ...listenOf(flags, message => new UsageError(message)),
  maxResponseTime: flags.maxResponseTime?.map(responseTimeLimit),
  waivers: waiversWithin(flags, at),
  baseline: baselineOf(flags),
  shrinkBaseline: flags.updateBaseline,
  minTested: minTestedOf(flags),
  pins: flags.pins === undefined ? undefined : readPins(flags.pins),
  product,
  ciRun: ciRun(),
  at: at.toISOString(),
})

const originOf = (server: Target, at: Date) => ({
  base: server === embeddedMock ? `http://${server}` : server.href,
  began: at.getTime(),
})
