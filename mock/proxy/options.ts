import type { forwardModes } from '../defaults.ts'

/** How a proxy forwards. */
export type ForwardOptions = {
  /** Base URL of the server: paths are below it. */
  readonly target: URL
  /** `observe`: nothing is changed. `enforce`: what breaks the contract reaches neither the server nor the client. Default `observe`. */
  readonly mode?: (typeof forwardModes)[number] | undefined
  /** Certificates to trust instead of the system's (PEM). */
  readonly ca?: string | undefined
  /** The client certificate for the server and its key (PEM). Default: none. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Whether certificates are accepted that nobody vouches for. Default false. */
  readonly insecure?: boolean | undefined
  /** Whether the server gets the Host of the client instead of its own. Default false. */
  readonly keepHost?: boolean | undefined
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are added. Default false. */
  readonly forwardedHeaders?: boolean | undefined
  /** Whether `Plantstore-Violations` names what was broken, where that is known before the response is sent. Default false. */
  readonly violationsHeader?: boolean | undefined
  /** Whether the mock answers for operations that the server does not have yet. Default false. */
  readonly mockMissing?: boolean | undefined
  /**
   * The only operations whose requests go to the server, by id or by method and path, each with `*`: `GET /plants/*`. The mock answers
   * those of all others. Default: all.
   */
  readonly live?: readonly string[] | undefined
}

/** The same, with the limits of the server that forwards. */
export type Forwarding = ForwardOptions & {
  /** Largest body that is judged, in bytes. */
  readonly maxBodyBytes: number
  /** How long a client may read nothing of the response, in milliseconds. */
  readonly stalledMs: number
}
