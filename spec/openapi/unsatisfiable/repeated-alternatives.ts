/**
 * A `oneOf` whose alternatives are the same but for their annotations, such as errors that differ in a `default` alone: each value
 * that fits one fits the others, so none fits exactly one, and no server could answer with any.
 */

import { type DocumentNode, follow, isNode } from '../../json/follow-refs.ts'
import { localReference } from '../../json/pointer.ts'
import { annotationKeywords } from '../../schema/annotations.ts'
import { mapSchemas } from '../map-schemas.ts'

/** The document with alternatives that are like an earlier one out of the way. */
export const withoutRepeatedAlternatives = (document: DocumentNode): DocumentNode =>
  mapSchemas(document, (changed, { oneOf }) => {
    const repeated = repeatedAlternatives(document, oneOf)
    if (repeated.size === 0) return changed
    // The others keep their places, which requirements are named by.
    const kept = (changed.oneOf as readonly unknown[]).map((alternative, index) =>
      repeated.has(index) ? false : alternative,
    )
    return { ...changed, oneOf: kept }
  })

/** By its index, the first alternative that one is like. */
export const repeatedAlternatives = (document: DocumentNode, oneOf: unknown): ReadonlyMap<number, number> => {
  const repeated = new Map<number, number>()
  if (!Array.isArray(oneOf) || oneOf.length < 2) return repeated
  const firsts = new Map<string, number>()
  for (const [index, alternative] of oneOf.entries()) {
    const text = meaningOf(document, alternative)
    const first = text === null ? undefined : firsts.get(text)
    if (first !== undefined) repeated.set(index, first)
    else if (text !== null) firsts.set(text, index)
  }
  return repeated
}

const annotations = new Set([...annotationKeywords, 'xml'])

/** Larger schemas are hardly ever the same, and take their time. */
const mostParts = 500

/** A text that is the same for schemas that say the same; null if they are too large, or refer to themselves. */
const meaningOf = (document: DocumentNode, schema: unknown): string | null => {
  let parts = 0
  const open = new Set<string>()
  const write = (value: unknown, isSchema: boolean): string | null => {
    parts += 1
    if (parts > mostParts) return null
    if (Array.isArray(value))
      return listed(
        '[',
        value.map(item => write(item, isSchema)),
      )
    if (!isNode(value)) return JSON.stringify(value) ?? 'null'
    const target = isSchema && typeof value.$ref === 'string' ? localReference(value.$ref) : null
    if (target !== null && Object.keys(value).every(key => key === '$ref' || annotations.has(key))) {
      if (open.has(target)) return null
      open.add(target)
      const text = write(follow(document, target).node, true)
      open.delete(target)
      return text
    }
    const said = Object.keys(value).filter(
      key => !isSchema || !(annotations.has(key) || key.startsWith('x-')),
    )
    return listed(
      '{',
      said.sort().map(key => {
        const isValue = isSchema && (key === 'enum' || key === 'const')
        const text = isValue ? JSON.stringify(value[key]) : write(value[key], !isSchema || !maps.has(key))
        return text === null ? null : `${JSON.stringify(key)}:${text}`
      }),
    )
  }
  return write(schema, true)
}

/** Keywords with schemas by names that the author has chosen. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])

const listed = (opening: string, parts: readonly (string | null)[]): string | null =>
  parts.includes(null) ? null : `${opening}${parts.join()}`
