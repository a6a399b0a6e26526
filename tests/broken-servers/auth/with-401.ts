import { authorization, authorizations } from '../store/credentials.ts'
import { type Fault, on } from '../store/faults.ts'
import type { Exchange, Parts } from '../store/model.ts'

/** The value of WWW-Authenticate; undefined: there is none. */
export type Challenges =
  | string
  | string[]
  | undefined
  | ((exchange: Exchange) => string | string[] | undefined)

/** Rejects with an undeclared 401 and these challenges. */
export const with401 =
  (challenges: Challenges): Fault =>
  (response, exchange) => {
    const value = typeof challenges === 'function' ? challenges(exchange) : challenges
    return {
      ...response,
      status: 401,
      headers: { ...response.headers, ...(value === undefined ? {} : { 'www-authenticate': value }) },
    }
  }

/** Rejects wrong credentials with these challenges. */
export const challenging = (challenges: Challenges): Pick<Parts, 'respond'> =>
  on('credentials', with401(challenges))

export const hasNoCredentials = (exchange: Exchange): boolean => authorizations(exchange).length === 0

export const hasToken = (exchange: Exchange): boolean =>
  /^bearer +[\w.~+/-]+=*$/i.test(authorization(exchange) ?? '')

export const realm = 'Bearer realm="plants"'
export const invalidToken = `${realm}, error="invalid_token", error_description="The token is not known"`

/** The challenge of RFC 6750, section 3.1: it names an error only if the request has a token. */
export const asRfc6750 = (exchange: Exchange): string => (hasToken(exchange) ? invalidToken : realm)
