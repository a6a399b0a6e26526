import { isTable, type MutableNode } from '../walk-references.ts'

const flowNames: Readonly<Record<string, string>> = {
  accessCode: 'authorizationCode',
  application: 'clientCredentials',
  implicit: 'implicit',
  password: 'password',
}

/** The security definitions of Swagger 2.0 as security schemes. */
export const convertSecurity = (definitions: unknown): unknown =>
  isTable(definitions)
    ? Object.fromEntries(
        Object.entries(definitions).map(([name, scheme]) => [
          name,
          isTable(scheme) ? convert(scheme) : scheme,
        ]),
      )
    : definitions

const convert = (scheme: MutableNode): MutableNode => {
  if (scheme.type === 'basic') return { ...scheme, type: 'http', scheme: 'basic' }
  if (scheme.type !== 'oauth2') return scheme
  const { flow, authorizationUrl, tokenUrl, scopes = {}, ...rest } = scheme
  const urls = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
  }
  return { ...rest, flows: { [flowNames[String(flow)] ?? String(flow)]: { ...urls, scopes } } }
}
