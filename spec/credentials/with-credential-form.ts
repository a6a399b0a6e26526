import type { Contract } from '../contract/contract.ts'
import type { Operation, Scheme } from '../contract/operation.ts'
import { securityOf, withoutKeys } from '../contract/security.ts'
import { untestedSecurity } from '../contract/untested-security.ts'
import { asNode } from '../json/follow-refs.ts'
import { step } from '../json/pointer.ts'
import type { Problem } from '../openapi/diagnostic.ts'
import { type CredentialForm, credentialForm } from './credential-form.ts'

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
