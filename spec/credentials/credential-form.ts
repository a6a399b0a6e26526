import type { Scheme } from '../contract/operation.ts'
import { credentialFormPattern } from '../defaults.ts'
import { type AuthorizationKind, authorizationSchemes } from '../http/authorization-schemes.ts'

type ApiKey = Extract<Scheme, { kind: 'apiKey' }>
/** A scheme without its name and place in a document. */
export type CredentialForm =
  | { readonly kind: AuthorizationKind }
  | (Pick<ApiKey, 'kind' | 'in' | 'key'> & { readonly template?: string })

const pattern = new RegExp(credentialFormPattern)

/** How a secret is sent, read from text; null: it is none of `credentialForms`. */
export const credentialForm = (text: string): CredentialForm | null => {
  const { scheme, field, template, place, name, parameter } = pattern.exec(text)?.groups ?? {}
  if (scheme !== undefined) return { kind: scheme as AuthorizationKind }
  if (field !== undefined && template !== undefined)
    return { kind: 'apiKey', in: 'header', key: field, ...(template === '{}' ? {} : { template }) }
  if (parameter !== undefined) return { kind: 'apiKey', in: 'query', key: parameter }
  return name === undefined ? null : { kind: 'apiKey', in: place as 'header' | 'cookie', key: name }
}

/** How a secret is sent, for readers: `Authorization: Bearer …`, `the query parameter token`. */
export const credentialFormText = (text: string): string => {
  const form = credentialForm(text)
  if (form === null) return text
  if (form.kind !== 'apiKey') return `Authorization: ${authorizationSchemes[form.kind].name} …`
  const { in: place, key, template = '{}' } = form
  return place === 'header'
    ? `${key}: ${template.replace('{}', '…')}`
    : `the ${place === 'query' ? 'query parameter' : 'cookie'} ${key}`
}

/** A key as it is sent; no key stays none. */
export const inTemplate = ({ template }: ApiKey, key: string): string =>
  template === undefined || key === '' ? key : template.replace('{}', () => key)

/** The key in what was sent; what does not follow the template is no key. */
export const keyIn = ({ template }: ApiKey, sent: string | null): string | null => {
  if (template === undefined || sent === null) return sent
  const [before = '', after = ''] = template.split('{}')
  return sent.startsWith(before) && sent.endsWith(after) && sent.length >= before.length + after.length
    ? sent.slice(before.length, sent.length - after.length)
    : sent
}
