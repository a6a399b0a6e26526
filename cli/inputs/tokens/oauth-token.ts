import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import type { AccessOptions, TokenSource } from '../../../conformance/index.ts'
import { type Contract, isObject, type Json, safeText } from '../../../spec/index.ts'
import { oauthClientSecret } from '../../options/environment.ts'
import { isHttp } from '../../options/parse.ts'
import type { TokenFlags } from '../../options/token-flags.ts'
import { UsageError } from '../../process/exit.ts'
import { say } from '../../process/terminal.ts'
import { endpointFetch } from '../endpoint.ts'
import { isLoopback } from '../loopback.ts'
import { oneToken } from './one-token.ts'

const seconds = 30

type OAuthFlags = Pick<TokenFlags, 'oauthTokenUrl' | 'oauthScope' | 'oauthAuthMethod'> & {
  readonly clientId: string
}

/**
 * Gets tokens by OAuth 2.0 client credentials (RFC 6749 4.4). Throws UsageError if the secret or the token endpoint is missing, and
 * its source if the endpoint gives no token. No message has the secret.
 */
export const oauthSource = (
  { clientId, oauthTokenUrl, oauthScope, oauthAuthMethod }: OAuthFlags,
  contract: Contract,
  access: AccessOptions,
): TokenSource => {
  const secret = oauthClientSecret()
  if (secret === null)
    throw new UsageError('--oauth-client-id needs the secret of the client in PLANTSTORE_OAUTH_CLIENT_SECRET')
  const url = oauthTokenUrl ?? declaredEndpoint(contract)
  if (url.protocol === 'http:' && !isLoopback(url))
    say(`warning: --oauth-token-url: the secret of the client is sent to ${url.host} without TLS`)
  const server = { issuer: url.origin, token_endpoint: url.href }
  const client = { client_id: clientId }
  const authenticate: ClientAuth = (oauthAuthMethod === 'body' ? ClientSecretPost : ClientSecretBasic)(secret)
  const parameters: Record<string, string> = oauthScope === undefined ? {} : { scope: oauthScope }
  const fetch = endpointFetch(url, access)
  return async () => {
    try {
      const response = await clientCredentialsGrantRequest(server, client, authenticate, parameters, {
        [allowInsecureRequests]: true,
        [customFetch]: fetch,
        signal: AbortSignal.timeout(seconds * 1000),
      })
      const { access_token, expires_in } = await processClientCredentialsResponse(server, client, response)
      return { token: oneToken(`${url.href} gave`, access_token), expiresIn: expires_in }
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(
        `no token from ${url.href}: ${safeText(problemOf(error).replaceAll(secret, '…')).slice(0, 300)}`,
      )
    }
  }
}

const problemOf = (error: unknown): string => {
  if (error instanceof ResponseBodyError) {
    const { error: code, status, error_description: description } = error
    const hint = code === 'invalid_client' ? ': are the client and its secret right?' : ''
    return `${code} (${status})${description === undefined ? '' : `: ${description}`}${hint}`
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return `it answered ${error.status}: are the client and its secret right?`
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return `no answer within ${seconds} s`
  if (cause instanceof Response) return `it answered ${cause.status}, which is no answer of a token endpoint`
  return message.replace('"response" body ', 'the ').replace(' must be', ' of the answer must be')
}

/**
 * The token endpoint that the document declares. Its author is not trusted with the secret: it must have come from a file, and the
 * secret goes to no host without TLS.
 */
const declaredEndpoint = ({ document, source }: Contract): URL => {
  const urls = tokenUrlsIn(document as Json)
  const [url] = urls
  if (url === undefined)
    throw new UsageError(
      '--oauth-client-id needs --oauth-token-url: the document declares no clientCredentials flow with a tokenUrl',
    )
  if (urls.length > 1)
    throw new UsageError(
      `--oauth-client-id needs --oauth-token-url: the document declares several, ${urls.map(safeText).join(' and ')}`,
    )
  const isFromNetwork = /^https?:/i.test(source)
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (
    isFromNetwork ||
    parsed === null ||
    !isHttp(parsed) ||
    (parsed.protocol === 'http:' && !isLoopback(parsed))
  )
    throw new UsageError(
      `the secret would be sent to ${safeText(url)}, which only ${isFromNetwork ? 'a document from the network' : 'the document'} names${isFromNetwork ? '' : ', and not on https'}: confirm it with --oauth-token-url`,
    )
  return parsed
}

const tokenUrlsIn = (document: Json): readonly string[] => {
  const components = isObject(document) ? document.components : undefined
  const schemes = isObject(components) ? components.securitySchemes : undefined
  const urls = Object.values(isObject(schemes) ? schemes : {}).flatMap(scheme => {
    const flows = isObject(scheme) && scheme.type === 'oauth2' ? scheme.flows : undefined
    const flow = isObject(flows) ? flows.clientCredentials : undefined
    return isObject(flow) && typeof flow.tokenUrl === 'string' ? [flow.tokenUrl] : []
  })
  return [...new Set(urls)]
}
