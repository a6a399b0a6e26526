import type { Headers, RequestHook } from '../../spec/index.ts'
import { verifyDefaults } from '../defaults.ts'

/** How a server is reached. */
export type Access = {
  /** Milliseconds that a response may take, and a connection before it. */
  readonly timeoutMs: number
  /** Whether certificates that cannot be verified are accepted. */
  readonly insecure: boolean
  /** PEM of the certificates to trust; null: those of the system. */
  readonly ca: string | null
  /** PEM of the client's certificate and of its key; null: none. */
  readonly cert: string | null
  readonly key: string | null
  /** An HTTP or HTTPS proxy. User and password in its URL are sent to the proxy alone. */
  readonly proxy: URL | null
  /** Sent with every request, beside those of the contract. Their values are secrets. */
  readonly headers: Headers
  /** Requests per second; null: as fast as possible. */
  readonly rate: number | null
  /** Null: requests go out as they are. */
  readonly requestHook: RequestHook | null
}

/** `Access` with defaults, for `verify` and `replay`. */
export type AccessOptions = {
  /** Milliseconds that a response may take. Default 5,000. */
  readonly timeoutMs?: number | undefined
  /** Whether certificates that cannot be verified are accepted. Default false. */
  readonly insecure?: boolean | undefined
  /** PEM of the certificates to trust. Default: those of the system. */
  readonly ca?: string | undefined
  /** PEM of the client's certificate, together with `key`. Default: none. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** URL of an HTTP or HTTPS proxy. Default: none; the environment is not read. */
  readonly proxy?: string | URL | undefined
  /** Sent with every request; no record of the run holds their values. Default: none. */
  readonly headers?: Headers | undefined
  /** Requests per second, evenly spread. Default: as fast as possible. */
  readonly rate?: number | undefined
  /**
   * Sees each request before it is sent, and returns headers to add. A header that the contract declares for credentials is replaced only if it
   * is an API key, and right. Default: none.
   */
  readonly requestHook?: RequestHook | undefined
}

export const accessOf = (options: AccessOptions): Access => ({
  timeoutMs: options.timeoutMs ?? verifyDefaults.timeoutMs,
  insecure: options.insecure ?? false,
  ca: options.ca ?? null,
  cert: options.cert ?? null,
  key: options.key ?? null,
  proxy: options.proxy === undefined ? null : new URL(options.proxy),
  headers: options.headers ?? [],
  rate: options.rate ?? null,
  requestHook: options.requestHook ?? null,
})
