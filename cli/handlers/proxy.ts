import { createProxy, type Mock, type ProxyOptions } from '../../mock/index.ts'
import { safeText } from '../../reports/index.ts'
import type { UnauthenticatedPolicy } from '../../spec/index.ts'
import { trustOf } from '../inputs/access.ts'
import { contractOf } from '../inputs/contract.ts'
import { sayProblems } from '../inputs/document-problems.ts'
import { publishCertificate, tlsOf } from '../inputs/tls.ts'
import type { ServerFlags } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TrustFlags } from '../options/transport-flags.ts'
import { sayAs, startLog } from '../outputs/log.ts'
import { UsageError } from '../process/exit.ts'
import { limitHeapGrowth } from '../process/heap-limit.ts'
import { exitCodeOfSignal, onSignal, type Signal } from '../process/signals.ts'
import { print } from '../process/terminal.ts'

export type ProxyFlags = SpecFlags &
  ServerFlags &
  TrustFlags & {
    readonly basePath: string
    readonly watch?: boolean
    readonly unauthenticated: UnauthenticatedPolicy
    readonly mode: NonNullable<ProxyOptions['mode']>
    readonly mockMissing?: boolean
    readonly keepHost?: boolean
    readonly forwardedHeaders?: boolean
    readonly violationsHeader?: boolean
  }

export const runProxy = async (target: URL | undefined, flags: ProxyFlags): Promise<number> => {
  if (target === undefined)
    throw new UsageError(
      'give the base URL of the server: plantstore proxy http://127.0.0.1:8080, or PLANTSTORE_URL or proxy.url in the configuration',
    )
  limitHeapGrowth()
  const sayLine = sayAs(flags.log)
  let warn = sayLine
  const options = { ...(await proxyOptionsOf(target, flags)), warn: (message: string) => warn(message) }
  const proxy = await createProxy(options)
  sayProblems(proxy.contract, sayLine)
  printStart(proxy, target, flags, sayLine)
  const log = await startLog(proxy, [], flags.log)
  warn = log.say
  const signal = await new Promise<Signal>(resolve => {
    onSignal(resolve)
  })
  await proxy.close()
  await log.end()
  return exitCodeOfSignal(signal)
}

/** The flags as options of the proxy, with their files read. Throws UsageError. */
export const proxyOptionsOf = async (target: URL, flags: ProxyFlags): Promise<ProxyOptions> => {
  if (flags.watch === true && flags.spec === undefined)
    throw new UsageError('--watch needs a document to watch: give one with --spec')
  return {
    target,
    contract: flags.spec ?? (await contractOf({})),
    basePath: flags.basePath,
    watch: flags.watch,
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
  }
}

const printStart = (proxy: Mock, target: URL, flags: ProxyFlags, sayLine: (line: string) => void): void => {
  const { title, version } = proxy.contract
  print(`proxy of ${safeText(target.href)} at ${proxy.url}`)
  const lines = [
    `judges by ${safeText(`${title} ${version}`)}`,
    `console ${proxy.url}/__plantstore/`,
    ...publishCertificate(proxy.certificate, flags.tlsCertOut),
    ...(flags.watch === true ? ['reloads its document when its files change'] : []),
  ]
  for (const line of lines) sayLine(`  ${line}`)
}
