import type { RequestHook } from '../../spec/index.ts'
import type { forwardModes } from '../defaults.ts'

/** Where a proxy takes what the server sends to its clients: callbacks and webhooks. */
export type ListenSettings = {
  /** 0: a free port. */
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** The URL by which the server reaches it. Default: http, with host and port. */
  readonly publicUrl?: string | undefined
  /** Where it goes on to, with the path that it came with: whoever is there answers. Default: the proxy answers with a declared success. */
  readonly forwardTo?: URL | undefined
  /** The secrets of security schemes, by name: with them, signatures are checked. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
}

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
  /** Sees each request that goes to the server, with its body, and returns headers to add to it: a signature. Default: none. */
  readonly requestHook?: RequestHook | undefined
  /** Judges callbacks and webhooks that clients have the server send here. Default: they are not seen. */
  readonly listen?: ListenSettings | undefined
}

/** The same, with the limits of the server that forwards. */
export type Forwarding = ForwardOptions & {
  /** Largest body that is judged, in bytes. */
  readonly maxBodyBytes: number
  /** How long a client may read nothing of the response, in milliseconds. */
  readonly stalledMs: number
}
