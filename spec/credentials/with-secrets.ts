import type { Contract } from '../contract/contract.ts'
import type { Operation, Scheme } from '../contract/operation.ts'

/** The name of a secret in placeholders and in the environment, by the name of its scheme: `API_KEY` for `api-key`. */
export const secretName = (scheme: string): string => scheme.toUpperCase().replace(/[^A-Z0-9]/g, '_')

/**
 * The contract with secrets of their own for these schemes. Of the alternatives of an operation, one comes first for which all secrets are
 * there.
 */
export const withSecrets = (contract: Contract, schemes: readonly string[]): Contract => {
  if (schemes.length === 0) return contract
  const names = new Map(schemes.map(scheme => [scheme, secretName(scheme)]))
  const named = (scheme: Scheme): Scheme => {
    const secret = names.get(scheme.name)
    return secret === undefined ? scheme : { ...scheme, secret }
  }
  const isMet = (alternative: readonly Scheme[]): boolean => alternative.every(({ name }) => names.has(name))
  const operations = contract.operations.map(
    (operation): Operation => ({
      ...operation,
      security: operation.security
        .toSorted((left, right) => Number(isMet(right)) - Number(isMet(left)))
        .map(alternative => alternative.map(named)),
    }),
  )
  return Object.create(contract, { operations: { value: operations, enumerable: true } }) as Contract
}
