import type { Headers } from '../../spec/index.ts'

/** How a server is reached. */
export type Access = {
  /** Milliseconds that an answer may take, the connection included. */
  readonly timeoutMs: number
  /** Certificates that cannot be trusted are accepted. */
  readonly insecure: boolean
  /** PEM: the certificates to trust instead of the system's; the client's own, and its key. */
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  /** An http or https proxy; its user and password, where it has them, are shown to it alone. */
  readonly proxy: URL | null
  /** Sent with every request, beside those of the contract. Their values are secrets. */
  readonly headers: Headers
  /** Requests a second; null: as fast as it goes. */
  readonly rate: number | null
}

/** The form of `Access` with defaults, for `verify` and `replay`. */
export type AccessOptions = {
  /** Milliseconds that an answer may take. Default 5,000. */
  readonly timeoutMs?: number
  /** Whether certificates that cannot be trusted are accepted. Default false. */
  readonly insecure?: boolean
  /** PEM of the certificates to trust. Default: those of the system. */
  readonly ca?: string
  /** PEM of the client's certificate, with `key`. Default: none. */
  readonly cert?: string
  readonly key?: string
  /** URL of an http or https proxy. Default: none; the environment is not read. */
  readonly proxy?: string | URL
  /** Sent with every request; their values are in no record of the run. Default: none. */
  readonly headers?: Headers
  /** Requests a second, spread evenly. Default: as fast as it goes. */
  readonly rate?: number
}

export const accessOf = (options: AccessOptions): Access => ({
  timeoutMs: options.timeoutMs ?? 5000,
  insecure: options.insecure ?? false,
  ca: options.ca ?? null,
  cert: options.cert ?? null,
  key: options.key ?? null,
  proxy: options.proxy === undefined ? null : new URL(options.proxy),
  headers: options.headers ?? [],
  rate: options.rate ?? null,
})
