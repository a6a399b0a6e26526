import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import type { MutableNode } from '../walk-references.ts'

/** An operation of a path item: its method, and where it is below the item. */
export type Declared = { readonly method: string; readonly at: Pointer }

/** The methods that have a field of a path item, the last one since OpenAPI 3.2. */
export const fixedMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The operations of a path item, those of OpenAPI 3.2 last. */
export const declaredIn = (item: Readonly<MutableNode>, minor: number): readonly Declared[] => [
  ...fixedMethods
    .slice(0, minor >= 2 ? fixedMethods.length : -1)
    .filter(method => Object.hasOwn(item, method))
    .map(method => ({ method: method.toUpperCase(), at: step('', method) })),
  ...(minor >= 2 ? Object.keys(asNode(item.additionalOperations)) : []).map(method => ({
    method,
    at: step('/additionalOperations', method),
  })),
]
