import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import type { MutableNode } from '../walk-references.ts'

/** An operation of a path item: its method, and where it is below the item. */
export type Declared = { readonly method: string; readonly at: Pointer }

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of a path item, those of OpenAPI 3.2 last. */
export const declaredIn = (item: Readonly<MutableNode>, minor: number): readonly Declared[] => [
  ...[...methods, ...(minor >= 2 ? ['query'] : [])]
    .filter(method => Object.hasOwn(item, method))
    .map(method => ({ method: method.toUpperCase(), at: step('', method) })),
  ...(minor >= 2 ? Object.keys(asNode(item.additionalOperations)) : []).map(method => ({
    method,
    at: step('/additionalOperations', method),
  })),
]
