/** The verb *answer*: a server whose every response conforms to the contract. */
import { fileURLToPath } from 'node:url'
import { type Contract, loadContract, plantStoreDocument, type Unauthenticated } from '../spec/index.ts'
import { withCors } from './cors.ts'
import { createDesk } from './engine.ts'
import { withHealth } from './health.ts'
import { type Listening, serve } from './server.ts'

export { BreakError } from './break/break-error.ts'
export { ListenError } from './listen-error.ts'

export type MockOptions = {
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's own. */
  readonly contract?: Contract | string
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** The only tokens that are right. Default: any well-formed one is. */
  readonly tokens?: readonly string[]
  /** How missing or wrong credentials are answered. Default `declared`: by the declared failure. */
  readonly unauthenticated?: Unauthenticated
  /** Whether pages of other origins may use the mock (CORS). Default true. */
  readonly cors?: boolean
  /** Largest body in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number
  /** The id of one obligation to break; all others are kept. Default: none. */
  readonly breaks?: string
  /** Told what a user should know, such as a bad example in the document. Default: standard error. */
  readonly warn?: (message: string) => void
}

export type Mock = Listening & { readonly contract: Contract }

/**
 * Starts a mock server. Throws DocumentError where the document is not a usable contract, ListenError where the
 * address cannot be listened on.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0, tokens, maxBodyBytes = 10 * 1024 * 1024 } = options
  const { unauthenticated = 'declared' } = options
  const {
    contract: given = fileURLToPath(plantStoreDocument),
    warn = message => process.stderr.write(`${message}\n`),
  } = options
  const contract = typeof given === 'string' ? await loadContract({ from: given }) : given
  const means = { contract, tokens: tokens ?? null, unauthenticated }
  const desk = createDesk({ ...means, warn })
  const engine =
    options.breaks === undefined
      ? desk.engine
      : await (await import('./break/break.ts')).breakOne({ ...means, desk, id: options.breaks })
  const healthy = withHealth(engine, contract)
  const listening = await serve(options.cors === false ? healthy : withCors(healthy), {
    host,
    port,
    maxBodyBytes,
  })
  return { ...listening, contract }
}
