import { createProxy, type ProxyOptions, type ProxyRun, type RunningProxy } from '../../mock/index.ts'
import { plural, safeText } from '../../reports/index.ts'
import { foldLedger, type RunEvent, type UnauthenticatedPolicy } from '../../spec/index.ts'
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
    const signal = await new Promise<Signal>(resolve => {
      onSignal(resolve)
    })
    await proxy.close()
    await log.end()
    return record.end(run, signal)
  } finally {
    record.close()
  }
}

/** The flags as options of the proxy, with their files read. Throws UsageError. */
export const proxyOptionsOf = async (target: URL, flags: ProxyFlags): Promise<ProxyOptions> => ({
  target,
  contract: flags.spec ?? (await contractOf({})),
  basePath: flags.basePath,
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

type Record = {
  readonly start: (proxy: RunningProxy) => ProxyRun
  /** Writes the reports, and returns the exit code. */
  readonly end: (run: ProxyRun, signal: Signal) => number
  readonly close: () => void
}

/** Opens what the run is recorded in, before anything listens. Throws UsageError. */
const openRecord = (target: URL, flags: ProxyFlags): Record => {
  const { report, out, har: harFile, failOn } = flags
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
    end: (run, signal) => {
      run.end(Date.now() - began)
      const { exchanges, requests, responses } = run.counts()
      print(
        `${plural(exchanges, 'exchange')}: ${plural(requests, 'invalid request')}, the server at fault in ${responses.toLocaleString('en-US')}`,
      )
      const isFailed =
        (failOn !== undefined && failOn !== 'response' && requests > 0) ||
        (failOn !== undefined && failOn !== 'request' && responses > 0)
      const isJudged = failOn !== undefined || output !== null || har !== null
      const passed = isJudged ? exitCodes.conformant : exitCodeOfSignal(signal)
      const code = isFailed ? exitCodes.nonconformant : passed
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
