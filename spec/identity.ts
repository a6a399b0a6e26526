import type { Operation } from './contract.ts'
import type { SchemaPlace } from './places.ts'
import { step } from './pointer.ts'

/** The property of a request body that tells one resource from another: servers may refuse to see its value twice. */
export type Identity = { readonly name: string; readonly place: SchemaPlace }

/**
 * Finds it by its name, as nothing in a schema says so: `id`, `uuid`, `key`, or the resource's name with `Id`,
 * among the required properties of a body that creates something (POST, PUT).
 */
export const identityOf = (operation: Operation, root: SchemaPlace): Identity | null => {
  if (operation.method !== 'POST' && operation.method !== 'PUT') return null
  const resource = operation.path.split('/').findLast(part => part !== '' && !part.startsWith('{')) ?? ''
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '').toLowerCase()
  const names = ['id', '_id', 'uuid', 'guid', 'key', `${singular}id`, `${singular}_id`, `${singular}number`]
  const name = root.required.find(property => names.includes(property.toLowerCase()))
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
