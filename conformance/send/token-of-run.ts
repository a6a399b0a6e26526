import {
  type Contract,
  credentialForm,
  credentialForms,
  credentialFormText,
  type Headers,
  type Operation,
  type Secret,
  secretName,
  sentBy,
  testedScheme,
  undeclaredForm,
  withCredentialForm,
  withSecrets,
} from '../../spec/index.ts'
import { TokenError } from '../errors.ts'
import { type CurrentToken, fixedToken, renewableToken, type TokenSource } from '../options/token-source.ts'
import { madeUpToken } from './transport/index.ts'

/** The options of a run that are about its token. */
type GivenToken = {
  readonly token?: string | TokenSource | undefined
  readonly auth?: string | undefined
  readonly secrets?: Readonly<Record<string, string | TokenSource>> | undefined
}

type TokenUse = {
  /** When the run began, ISO 8601. */
  readonly at: string
  /** Every token that is used is added to them. */
  readonly secrets: Secret[]
  readonly contract: Contract
  /** Those that are sent with it. Default: those whose scheme has no secret of its own. */
  readonly operations?: readonly Operation[]
  /** How it is sent; null: as the contract declares. */
  readonly form: string | null
}

const withoutOwn = ({ operations }: Contract): readonly Operation[] =>
  operations.filter(operation => testedScheme({ operation })?.secret === undefined)

/** The token of a run. Throws TokenError if no header could have it. */
export const tokenOfRun = async (
  given: string | TokenSource | undefined,
  { at, secrets, contract, operations = withoutOwn(contract), form }: TokenUse,
): Promise<CurrentToken> => {
  const onToken = (token: string): void => {
    checkToken(token, operations, form)
    if (!secrets.includes(token)) secrets.unshift(token)
  }
  if (typeof given === 'function') return renewableToken(given, { at, onToken })
  if (given !== undefined) onToken(given)
  return fixedToken(given ?? madeUpToken)
}

/** The token of another user than that of the run; null: none is given. Throws TokenError as `tokenOfRun` does, and if there are no two. */
export const otherTokenOfRun = async (
  given: string | TokenSource | undefined,
  token: CurrentToken | null,
  use: TokenUse,
): Promise<CurrentToken | null> => {
  if (given === undefined) return null
  if (token === null)
    throw new TokenError('there is a token of another user, but none of the first: give both')
  const other = await tokenOfRun(given, use)
  if (other.value() === token.value())
    throw new TokenError('both users have the same token: give the tokens of two users')
  return other
}

/**
 * How the token of a run is sent: as its caller says, or to a server whose document asks for no credentials in the usual way. Null: as the
 * document declares. Throws TokenError for a form that there is not.
 */
export const formOfRun = (contract: Contract, { auth, token }: GivenToken): string | null => {
  if (auth !== undefined && credentialForm(auth) === null)
    throw new TokenError(`the token cannot be sent as ${auth}: give ${credentialForms}`)
  return auth ?? (token === undefined ? null : undeclaredForm(contract))
}

/** How the token is sent where that is not as the document declares: one sentence. */
export const sentAs = ({ operations }: Contract, form: string): string =>
  operations.every(({ security }) => security.length === 0)
    ? `the document asks for no credentials, so the token is sent with every request as ${credentialFormText(form)}`
    : `the token is sent with every request as ${credentialFormText(form)} (--auth), whatever the document declares`

/** Throws TokenError if an extra header has the name of that which the token is sent in. */
export const checkExtraHeaders = (headers: Headers, { operations }: Contract): void => {
  for (const { undeclared } of operations) {
    const place =
      undeclared?.kind !== 'apiKey' ? 'Authorization' : undeclared.in === 'header' ? undeclared.key : null
    const doubled = headers.find(([name]) => name.toLowerCase() === place?.toLowerCase())
    if (undeclared !== undefined && doubled !== undefined)
      throw new TokenError(
        `the token is sent as ${doubled[0]} as well, since the document asks for no credentials: leave out the token or the extra header`,
      )
  }
}

const checkSchemes = (contract: Contract, schemes: readonly string[]): void => {
  const known = new Set(
    contract.operations
      .flatMap(operation => [operation, ...sentBy(contract, operation).map(callback => callback.operation)])
      .flatMap(({ security }) => security.flat().map(({ name }) => name)),
  )
  const unknown = schemes.find(scheme => !known.has(scheme))
  if (unknown !== undefined)
    throw new TokenError(
      `no operation asks for credentials of a security scheme ${unknown}: ${known.size === 0 ? 'the document names none' : `the document has ${[...known].join(', ')}`}`,
    )
}

/** The contract as a run sends its credentials. Throws TokenError for a form, or a scheme, that there is not. */
export const sentContract = (contract: Contract, options: GivenToken): Contract => {
  const schemes = Object.keys(options.secrets ?? {})
  if (schemes.length > 0) checkSchemes(contract, schemes)
  return withSecrets(withCredentialForm(contract, formOfRun(contract, options)), schemes)
}

/** The secrets of security schemes, by their `secretName`. Throws TokenError as `tokenOfRun` does. */
export const secretsOfRun = async (
  given: GivenToken['secrets'] = {},
  use: TokenUse,
): Promise<ReadonlyMap<string, CurrentToken>> => {
  const found: (readonly [string, CurrentToken])[] = []
  for (const [scheme, secret] of Object.entries(given)) {
    const operations = use.contract.operations.filter(
      operation => testedScheme({ operation })?.name === scheme,
    )
    found.push([secretName(scheme), await tokenOfRun(secret, { ...use, operations })])
  }
  return new Map(found)
}

/** Keys and passwords may have spaces, but a bearer token has none (RFC 6750 2.1), and Basic credentials have a colon (RFC 7617 2). */
const checkToken = (token: string, operations: readonly Operation[], form: string | null): void => {
  const kinds = new Set(
    operations.map(operation => (testedScheme({ operation }) ?? operation.undeclared)?.kind),
  )
  if (kinds.has('bearer') && token.includes(' '))
    throw new TokenError(
      "the token has a space, which no bearer token has: say with --auth how it is sent, such as --auth 'Authorization: {}'",
    )
  if (form === 'basic' && !token.includes(':'))
    throw new TokenError('the token is sent as Basic credentials, so it must be user:password')
}
