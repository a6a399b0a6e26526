import type { DeclaredResponse } from '../contract/contract.ts'
import { writtenAs } from '../contract/form-fields.ts'
import { isIdentityName } from '../contract/identity.ts'
import { step } from '../json/pointer.ts'
import { isCursorName } from '../resources/names.ts'
import { placeOf, type SchemaPlace } from '../schema/locations.ts'
import type { OperationContext } from './operation-context.ts'

/** A property that a successful response has as the request sent it. */
export type Echo = {
  readonly name: string
  /** Whether the response has none if none was sent. */
  readonly isAbsentToo: boolean
  /**
   * Whether what was sent may have been merged into what there was, as PATCH does: objects keep what was not sent, and null removes. Also where
   * the property is all that a body has, such as `data`: the resource itself is in it, to which a server adds.
   */
  readonly isMerged: boolean
}

/** The properties that a response repeats. `root`: the schema of its body. */
export const echoesOf = (
  { operation, body }: OperationContext,
  { status }: DeclaredResponse,
  root: SchemaPlace,
): readonly Echo[] => {
  if (!status.startsWith('2')) return []
  // A response names a file, but it does not repeat it.
  const sent = (body?.root.properties ?? []).filter(
    name => body !== null && writtenAs(body.format, step('', name)) !== 'binary',
  )
  const isEnvelope = body?.root.properties.length === 1 && body.root.children[0]?.types?.join() === 'object'
  const has = (name: string, keyword: string): boolean =>
    placeOf(root, step('', name))?.keywords.some(use => use.keyword === keyword) === true
  return root.properties
    .filter(name => sent.includes(name) && !has(name, 'writeOnly') && !isCursorName(name))
    .map(name => ({
      name,
      isMerged: operation.method === 'PATCH' || isEnvelope,
      // What exists already has other properties than those that an update sends, and a server may add what is required or has a default,
      // the name of what it creates, and what a parameter says.
      isAbsentToo:
        operation.method === 'POST' &&
        !operation.parameters.some(parameter => parameter.in === 'path' || parameter.name === name) &&
        !root.required.includes(name) &&
        !isIdentityName(operation, name) &&
        !has(name, 'default'),
    }))
}
