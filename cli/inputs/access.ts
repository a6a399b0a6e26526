import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { getProxyForUrl } from 'proxy-from-env'
import type { AccessOptions } from '../../conformance/index.ts'
import type { Contract, Operation, RequestHook } from '../../spec/index.ts'
import { isHttp } from '../options/parse.ts'
import { embeddedMock, type Target } from '../options/server-flags.ts'
import type { TransportFlags, TrustFlags } from '../options/transport-flags.ts'
import { UsageError } from '../process/exit.ts'
import { say } from '../process/terminal.ts'
import { isLoopback } from './loopback.ts'
import { certificate, readPem, readPemPair } from './pem.ts'

/** The flags as options of `verify` and `replay`, with their files read. Throws UsageError. */
export const accessOf = (flags: TransportFlags, server: Target, contract: Contract): AccessOptions => {
  const { timeout, header, rate } = flags
  rejectDeclared(header ?? [], contract)
  return {
    timeoutMs: timeout * 1000,
    headers: header,
    rate,
    requestHook: flags.requestHook === undefined ? undefined : readRequestHook(flags.requestHook),
    ...trustOf(flags),
    proxy: flags.proxy ?? (server === embeddedMock ? undefined : environmentProxy(server)),
  }
}

/** Which certificates are trusted, and which one the server gets. Throws UsageError. */
export const trustOf = ({ insecure, ca, cert, key }: TrustFlags) => {
  if (insecure === true) say('warning: --insecure: the certificate of the server is not verified')
  return {
    insecure,
    ca: ca === undefined ? undefined : readPem('--ca', ca, certificate),
    ...readPemPair({ certFlag: '--cert', cert, keyFlag: '--key', key }),
  }
}

/** The suite itself sends and omits the headers that the contract declares. */
const rejectDeclared = (headers: NonNullable<TransportFlags['header']>, { operations }: Contract): void => {
  for (const [name] of headers)
    for (const { id, parameters, security } of operations) {
      const declared = [...parameters.map(headerOfParameter), ...security.flat().map(headerOfScheme)]
      if (declared.some(header => header?.toLowerCase() === name.toLowerCase()))
        throw new UsageError(`--header ${name}: the contract declares it for ${id}, so the suite tests it`)
    }
}

const headerOfParameter = (parameter: Operation['parameters'][number]): string | null =>
  parameter.in === 'cookie' ? 'cookie' : parameter.in === 'header' ? parameter.name : null

const headerOfScheme = (scheme: Operation['security'][number][number]): string | null => {
  if (scheme.kind !== 'apiKey')
    return scheme.kind === 'other' && !/^http /.test(scheme.type) ? null : 'authorization'
  return scheme.in === 'cookie' ? 'cookie' : scheme.in === 'header' ? scheme.key : null
}

/** Loads the module of --request-hook, whose default export is the hook. Throws UsageError. */
export const readRequestHook = (file: string): RequestHook => {
  let loaded: unknown
  try {
    loaded = createRequire(import.meta.url)(resolve(file))
  } catch (error) {
    const [line = ''] = String((error as Error).message).split('\n')
    throw new UsageError(`--request-hook ${file} cannot be loaded: ${line}`)
  }
  const hook = typeof loaded === 'function' ? loaded : (loaded as { default?: unknown } | null)?.default
  if (typeof hook !== 'function')
    throw new UsageError(
      `--request-hook ${file} must export a function by default: it gets each request, and returns headers`,
    )
  return hook as RequestHook
}

/**
 * The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for a server. Loopback addresses have none, as a proxy on
 * another machine cannot reach them. Throws UsageError if its URL is not http or https.
 */
export const environmentProxy = (server: URL): URL | undefined => {
  const text = isLoopback(server) ? '' : getProxyForUrl(server.href)
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isHttp(url))
    throw new UsageError(
      `the environment’s proxy for ${server.origin} is not an http or https URL: give another with --proxy, or exclude the server with NO_PROXY`,
    )
  return url
}
