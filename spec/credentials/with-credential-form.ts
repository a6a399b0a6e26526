import type { Contract } from '../contract/contract.ts'
import type { Operation, Scheme } from '../contract/operation.ts'
import { securityOf, untestedSecurity, withoutKeys } from '../contract/security.ts'
import { credentialFormPattern } from '../defaults.ts'
import { type AuthorizationKind, authorizationSchemes } from '../http/authorization-schemes.ts'
import { asNode } from '../json/follow-refs.ts'
import { step } from '../json/pointer.ts'
import type { Problem } from '../openapi/diagnostic.ts'

/**
 * The form in which a secret is sent to a server whose document asks for none: that of the only scheme that the document declares and
 * applies nowhere, or that of a bearer token. Null: the document says where credentials are needed.
 */
export const undeclaredForm = ({ document, operations }: Contract): string | null => {
  if (operations.some(({ security }) => security.length > 0)) return null
  const names = Object.keys(asNode(asNode(document.components).securitySchemes))
  const [scheme, ...others] = securityOf(
    document,
    names.map(name => ({ [name]: [] })),
  ).flat()
  if (scheme === undefined || others.length > 0) return 'bearer'
  switch (scheme.kind) {
    case 'apiKey':
      return `${scheme.in}:${scheme.key}`
    case 'other':
      return 'bearer'
    default:
      return scheme.kind
  }
}

/**
 * The contract with all credentials in this form: an operation that asks for some is tested with them, and to one that asks for none
 * they are sent as well. Null: as the document declares them.
 */
export const withCredentialForm = (contract: Contract, text: string | null): Contract => {
  const form = text === null ? null : credentialForm(text)
  if (form === null) return contract
  const operations = contract.operations.map(operation => inForm(operation, form))
  const untested = (of: readonly Operation[]): readonly Problem[] =>
    untestedSecurity(of, contract.document, contract.place)
  // What takes its time stays on demand.
  return Object.create(contract, {
    operations: { value: operations, enumerable: true },
    notTested: {
      get: () => {
        const before = new Set(untested(contract.operations).map(({ message }) => message))
        return [...contract.notTested.filter(({ message }) => !before.has(message)), ...untested(operations)]
      },
      enumerable: true,
    },
  }) as Contract
}

const isOfForm = (scheme: Scheme, form: CredentialForm): boolean =>
  scheme.kind === 'apiKey' && form.kind === 'apiKey'
    ? scheme.in === form.in && scheme.key === form.key
    : scheme.kind === form.kind

const inForm = (operation: Operation, form: CredentialForm): Operation => {
  const [declared] = operation.security.flat()
  const scheme: Scheme = {
    ...form,
    name: declared?.name ?? 'undeclared',
    pointer: declared?.pointer ?? step(operation.pointer, 'security'),
  }
  const { parameters } = withoutKeys(operation.parameters, [[scheme]])
  // It is the alternative of this form, or else in the place of the first. The others may let a request in as well.
  const isIt = (schemes: readonly Scheme[]): boolean => schemes.some(each => isOfForm(each, form))
  const others = operation.security.some(isIt)
    ? operation.security.filter(schemes => !isIt(schemes))
    : operation.security.slice(1)
  return declared === undefined
    ? { ...operation, parameters, undeclared: scheme }
    : { ...operation, parameters, security: [[scheme], ...others] }
}

type ApiKey = Extract<Scheme, { kind: 'apiKey' }>
/** A scheme without its name and place in a document. */
type CredentialForm =
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
