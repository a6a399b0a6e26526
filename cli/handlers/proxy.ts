import {
  createProxy,
  type ProxyOptions,
  type ProxyRun,
  type RunCounts,
  type RunningProxy,
} from '../../mock/index.ts'
import { foldLedger, plural, type RunEvent, safeText, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { trustOf } from '../inputs/access.ts'
import { contractOf } from '../inputs/contract.ts'
import { sayProblems } from '../inputs/document-problems.ts'
import { publishCertificate, tlsOf } from '../inputs/tls.ts'
import type { AnyFormat } from '../options/formats.ts'
import type { ServerFlags } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TrustFlags } from '../options/transport-flags.ts'
import { openHar } from '../outputs/har-file.ts'
import { sayAs, startLog } from '../outputs/log.ts'
import { openOutput } from '../outputs/output.ts'
import { printRun } from '../outputs/print-run.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { product } from '../process/product.ts'
import { runCommand } from '../process/run-command.ts'
import { exitCodeOfSignal, onSignal, type Signal } from '../process/signals.ts'
import { print, say } from '../process/terminal.ts'

/** Whose violations fail a run. */
export type FailOn = 'request' | 'response' | 'any'

export type ProxyFlags = SpecFlags &
  ServerFlags &
  TrustFlags & {
    readonly basePath: string
    readonly unauthenticated: UnauthenticatedPolicy
    readonly mode: NonNullable<ProxyOptions['mode']>
    readonly mockMissing?: boolean
    readonly keepHost?: boolean
    readonly forwardedHeaders?: boolean
    readonly violationsHeader?: boolean
    readonly failOn?: FailOn
    readonly run?: string
    readonly report?: readonly AnyFormat[]
    readonly out: string
    readonly har?: string
  }

export const runProxy = async (target: URL | undefined, flags: ProxyFlags): Promise<number> => {
  limitHeapGrowth()
  if (target === undefined)
    throw new UsageError(
      'give the base URL of the server: plantstore proxy http://127.0.0.1:8080, or PLANTSTORE_URL or reverseProxy.url in the configuration',
    )
  const sayLine = sayAs(flags.log)
  let warn = sayLine
  const options = { ...(await proxyOptionsOf(target, flags)), warn: (message: string) => warn(message) }
  const record = openRecord(target, flags)
  try {
    const proxy = await createProxy(options)
    const run = record.start(proxy)
    sayProblems(proxy.contract, sayLine)
    printStart(proxy, target, flags, sayLine)
    const log = await startLog(proxy, [], flags.log)
    warn = log.say
    const end = await endOf(proxy, flags.run)
    await proxy.close()
    await log.end()
    return record.end(run, end)
  } finally {
    record.close()
  }
}

/** The flags as options of the proxy, with their files read. Throws UsageError. */
export const proxyOptionsOf = async (target: URL, flags: ProxyFlags): Promise<ProxyOptions> => ({
  target,
  contract: flags.spec ?? (await contractOf({ overlay: flags.overlay })),
  basePath: flags.basePath,
  overlay: flags.overlay,
  networkRefs: flags.networkRefs,
  refFolder: flags.refFolder,
  strictDocument: flags.strictDocument,
  host: flags.host,
  port: flags.port,
  unauthenticated: flags.unauthenticated,
  maxBodyBytes: flags.maxBody,
  tls: tlsOf(flags),
  ...trustOf(flags),
  mode: flags.mode,
  mockMissing: flags.mockMissing,
  keepHost: flags.keepHost,
  forwardedHeaders: flags.forwardedHeaders,
  violationsHeader: flags.violationsHeader,
})

/** What ended the proxy: a signal, or the command of `--run`. */
type End = {
  readonly signal: Signal | null
  /** The command did not succeed. */
  readonly isFailed: boolean
}

/** Runs the command, or waits for a signal. */
const endOf = async ({ url }: RunningProxy, command: string | undefined): Promise<End> => {
  const stop = new AbortController()
  const { promise: signalled, resolve } = Promise.withResolvers<Signal>()
  const { caught } = onSignal(signal => {
    resolve(signal)
    stop.abort()
  })
  if (command === undefined) return { signal: await signalled, isFailed: false }
  say(`running --run: ${safeText(command)}`)
  const env = { PLANTSTORE_PROXY_URL: url }
  const { problem } = await runCommand(command, { output: 'show', env, signal: stop.signal })
  if (problem !== null) say(`--run ${safeText(command)} ${problem}`)
  return { signal: caught(), isFailed: problem !== null }
}

type Record = {
  readonly start: (proxy: RunningProxy) => ProxyRun
  /** Writes the reports, and returns the exit code. */
  readonly end: (run: ProxyRun, end: End) => number
  readonly close: () => void
}

/** Opens what the run is recorded in, before anything listens. Throws UsageError. */
const openRecord = (target: URL, flags: ProxyFlags): Record => {
  const { report, out, har: harFile } = flags
  const began = Date.now()
  const output = report === undefined ? null : openOutput(out, report)
  const har =
    harFile === undefined ? null : openHar(harFile, { product, origin: { base: target.href, began } })
  const events: RunEvent[] = []
  const onEvent = (event: RunEvent): void => {
    events.push(event)
    output?.event(event)
  }
  return {
    start: proxy =>
      proxy.record({
        product,
        target,
        at: began,
        ...(output === null ? {} : { onEvent }),
        ...(har === null ? {} : { onExchange: har.add }),
      }),
    end: (run, end) => {
      run.end(Date.now() - began)
      const counts = run.counts()
      const { exchanges, requests, responses } = counts
      print(
        `${plural(exchanges, 'exchange')}: ${plural(requests, 'invalid request')}, the server at fault in ${responses.toLocaleString('en-US')}`,
      )
      const code = exitCodeFor(flags, counts, end)
      if (code === exitCodes.inconclusive)
        say('nothing was judged: no request for an operation of the contract came through')
      const harProblems = har?.finish() ?? []
      if (output === null || report === undefined) {
        for (const problem of harProblems) say(problem)
        return harProblems.length > 0 ? exitCodes.usage : code
      }
      const ledger = foldLedger(events)
      const problems = [...output.finish(ledger), ...harProblems]
      return printRun(ledger, output, { report }, problems, given =>
        given === exitCodes.usage ? given : code,
      )
    },
    close: () => output?.close(),
  }
}

const exitCodeFor = (
  { failOn, run, report, har }: ProxyFlags,
  { declared, requests, responses }: RunCounts,
  end: End,
): number => {
  const isAtFault = (failOn !== 'response' && requests > 0) || (failOn !== 'request' && responses > 0)
  if (failOn !== undefined && isAtFault) return exitCodes.nonconformant
  // A signal is how a proxy that records is meant to end, unless a command runs.
  const isRecorded = failOn !== undefined || report !== undefined || har !== undefined
  if (end.signal !== null && (run !== undefined || !isRecorded)) return exitCodeOfSignal(end.signal)
  if (end.isFailed) return exitCodes.nonconformant
  return failOn !== undefined && declared === 0 ? exitCodes.inconclusive : exitCodes.conformant
}

const printStart = (
  proxy: RunningProxy,
  target: URL,
  flags: ProxyFlags,
  sayLine: (line: string) => void,
): void => {
  const { title, version } = proxy.contract
  print(`proxy at ${proxy.url}, in front of ${safeText(target.href)}`)
  const lines = [
    `judges by ${safeText(`${title} ${version}`)}`,
    `console ${proxy.url}/__plantstore/`,
    ...(flags.mode === 'enforce' ? ['lets nothing through that breaks the contract'] : []),
    ...(flags.mockMissing === true ? ['answers for operations that the server does not have'] : []),
    ...publishCertificate(proxy.certificate, flags.tlsCertOut),
  ]
  for (const line of lines) sayLine(`  ${line}`)
}
