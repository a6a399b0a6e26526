import { createProxy, type ProxyOptions, type RunCounts, type RunningProxy } from '../../mock/index.ts'
import { safeText, secretPrefix, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { readRequestHook, trustOf } from '../inputs/access.ts'
import { contractOf, sayProblems } from '../inputs/contract.ts'
import { publishCertificate, tlsOf } from '../inputs/pem.ts'
import { recordingIn } from '../inputs/traffic.ts'
import { schemeSecrets } from '../options/environment.ts'
import type { ServerFlags } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { checkListen, type ListenFlags } from '../options/state-flags.ts'
import type { TokenFlags } from '../options/token-flags.ts'
import type { TrustFlags } from '../options/transport-flags.ts'
import { sayAs, startLog } from '../outputs/log.ts'
import { isAtFault, openTrafficRecord, type TrafficFlags } from '../outputs/traffic-record.ts'
import { exitCodeOfSignal, exitCodes, onSignal, type Signal, UsageError } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { runCommand } from '../process/run-command.ts'
import { print, say } from '../process/terminal.ts'

export type ProxyFlags = SpecFlags &
  ServerFlags &
  TrustFlags &
  TrafficFlags & {
    readonly basePath: string
    readonly unauthenticated: UnauthenticatedPolicy
    readonly mode: NonNullable<ProxyOptions['mode']>
    readonly mockMissing?: boolean
    readonly replay?: string
    readonly live?: readonly string[]
    readonly keepHost?: boolean
    readonly forwardedHeaders?: boolean
    readonly violationsHeader?: boolean
    readonly listen?: ListenFlags['listen']
    readonly publicUrl?: URL
    readonly callbacksTo?: URL
    readonly secret?: TokenFlags['secret']
    readonly requestHook?: string
    readonly run?: string
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
  const record = openTrafficRecord(target, flags)
  try {
    const proxy = await createProxy(options)
    const run = record.start(proxy)
    sayProblems(proxy.contract, sayLine, flags.listen !== undefined)
    printStart(proxy, target, flags, sayLine)
    const log = await startLog(proxy, [], flags.log)
    warn = log.say
    const end = await endOf(proxy, flags.run)
    await proxy.close()
    await log.end()
    return record.end(run, counts => exitCodeFor(flags, counts, end))
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
  replay: flags.replay === undefined ? undefined : recordingIn(flags.replay),
  live: flags.live ?? (flags.replay === undefined ? undefined : []),
  keepHost: flags.keepHost,
  forwardedHeaders: flags.forwardedHeaders,
  violationsHeader: flags.violationsHeader,
  requestHook: flags.requestHook === undefined ? undefined : readRequestHook(flags.requestHook),
  listen: listenSettingsOf(flags),
})

/** Where callbacks and webhooks come to, and go on to. Throws UsageError. */
const listenSettingsOf = ({
  listen,
  publicUrl,
  callbacksTo,
  secret = [],
}: ProxyFlags): ProxyOptions['listen'] => {
  checkListen({ listen, publicUrl, callbacksTo }, message => new UsageError(message))
  if (listen === undefined) return undefined
  return {
    ...listen,
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.href }),
    ...(callbacksTo === undefined ? {} : { forwardTo: callbacksTo }),
    secrets: { ...schemeSecrets(secretPrefix), ...Object.fromEntries(secret) },
  }
}

/** What ended the proxy: a signal, or the command of `--run`. */
type End = {
  readonly signal: Signal | null
  /** The command did not succeed. */
  readonly isFailed: boolean
}

/** Runs the command, or waits for a signal. */
const endOf = async ({ url, callbackUrl }: RunningProxy, command: string | undefined): Promise<End> => {
  const stop = new AbortController()
  const { promise: signalled, resolve } = Promise.withResolvers<Signal>()
  const { caught } = onSignal(signal => {
    resolve(signal)
    stop.abort()
  })
  if (command === undefined) return { signal: await signalled, isFailed: false }
  say(`running --run: ${safeText(command)}`)
  const env = {
    PLANTSTORE_PROXY_URL: url,
    ...(callbackUrl === null ? {} : { PLANTSTORE_CALLBACK_URL: callbackUrl }),
  }
  const { problem } = await runCommand(command, { output: 'show', env, signal: stop.signal })
  if (problem !== null) say(`--run ${safeText(command)} ${problem}`)
  return { signal: caught(), isFailed: problem !== null }
}

const exitCodeFor = ({ failOn, run, report, har }: ProxyFlags, counts: RunCounts, end: End): number => {
  if (isAtFault(failOn, counts)) return exitCodes.nonconformant
  // A signal is how a proxy that records is meant to end, unless a command runs.
  const isRecorded = failOn !== undefined || report !== undefined || har !== undefined
  if (end.signal !== null && (run !== undefined || !isRecorded)) return exitCodeOfSignal(end.signal)
  if (end.isFailed) return exitCodes.nonconformant
  return failOn !== undefined && counts.declared === 0 ? exitCodes.inconclusive : exitCodes.conformant
}

const printStart = (
  proxy: RunningProxy,
  target: URL,
  flags: ProxyFlags,
  sayLine: (line: string) => void,
): void => {
  const { title, version } = proxy.contract
  print(`proxy at ${proxy.url}, in front of ${safeText(target.href)}`)
  const { callbackUrl } = proxy
  const onwards =
    flags.callbacksTo === undefined
      ? 'answers with a declared success'
      : `sends on to ${safeText(flags.callbacksTo.href)}`
  const lines = [
    `judges by ${safeText(`${title} ${version}`)}`,
    `console ${proxy.url}/__plantstore/`,
    ...(flags.mode === 'enforce' ? ['lets nothing through that breaks the contract'] : []),
    ...(flags.mockMissing === true ? ['answers for operations that the server does not have'] : []),
    ...(flags.live === undefined && flags.replay === undefined
      ? []
      : [
          `sends to the server what the document does not declare${(flags.live ?? []).map(each => `, ${safeText(each)}`).join('')}`,
        ]),
    ...(callbackUrl === null ? [] : [`takes callbacks and webhooks at ${callbackUrl}/…, and ${onwards}`]),
    ...publishCertificate(proxy.certificate, flags.tlsCertOut),
  ]
  for (const line of lines) sayLine(`  ${line}`)
}
