import { step } from '../json/pointer.ts'
import { identityNames, isSameName, singular } from '../resources/names.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import type { Operation } from './contract.ts'

/** The property of a request body that tells created resources apart: servers may reject the same value a second time. */
export type Identity = { readonly name: string; readonly place: SchemaPlace }

/**
 * Finds the identity by its name, as no keyword of a schema marks it: `id`, `uuid`, `key`, or the name of the resource with
 * `Id`, among the required properties of a body that creates something (POST, PUT).
 */
export const identityOf = (operation: Operation, root: SchemaPlace): Identity | null => {
  if (operation.method !== 'POST' && operation.method !== 'PUT') return null
  const name = root.required.find(property => isIdentityName(operation, property))
  const place = root.children.find(child => child.pattern === step('', name ?? ''))
  const free =
    place?.keywords.every(
      ({ keyword }) => keyword !== 'enum' && keyword !== 'const' && keyword !== 'pattern',
    ) === true
  return name !== undefined &&
    place !== undefined &&
    free &&
    /^(integer|string)$/.test(place.types?.join() ?? '')
    ? { name, place }
    : null
}

/** Whether a property of this name tells apart what an operation creates. */
export const isIdentityName = ({ path }: Operation, name: string): boolean => {
  const resource = path.split('/').findLast(part => part !== '' && !part.startsWith('{')) ?? ''
  return identityNames(singular(resource)).some(candidate => isSameName(candidate, name))
}
