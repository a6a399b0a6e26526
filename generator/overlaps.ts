import {
  type Contract,
  type DocumentNode,
  isNode,
  type Json,
  type Pointer,
  placesOf,
  repeatedAlternatives,
  step,
  writeJson,
} from '../spec/index.ts'
import { compileGenerator } from './generator.ts'
import { isUnsupported } from './read/unsupported.ts'
import { createSampler } from './sampler.ts'

/** A value that fits two alternatives of a `oneOf`, which are named as pointers. */
export type Overlap = { readonly pointer: Pointer; readonly value: Json; readonly fits: readonly string[] }

/** `untried`: how many `oneOf` were left when the limits were reached. */
export type Overlaps = { readonly found: readonly Overlap[]; readonly untried: number }

type Direction = Contract['requests']

const samples = 3
const mostBoundaries = 20
/** Values are made for so many pairs of alternatives, and for so long. */
const mostPairs = 500
const mostMs = 5000

/**
 * The `oneOf` of a document of which two alternatives overlap, each with a value that proves it: no value, no overlap. Those whose
 * alternatives differ in type are not tried.
 */
export const overlapsIn = ({ requests, responses }: Contract): Overlaps => {
  const until = performance.now() + mostMs
  const found = new Map<Pointer, Overlap>()
  const untried = new Set<Pointer>()
  let pairs = 0
  for (const direction of [responses, requests])
    for (const [pointer, schema] of unionsIn(direction.document)) {
      if (found.has(pointer)) continue
      for (const pair of pairsOf(direction, pointer, schema)) {
        pairs += 1
        if (pairs > mostPairs || performance.now() > until) {
          untried.add(pointer)
          break
        }
        const overlap = overlapOf(direction, pointer, schema, pair)
        if (overlap === null) continue
        found.set(pointer, overlap)
        break
      }
    }
  return { found: [...found.values()], untried: untried.size }
}

type Pair = readonly [first: number, second: number]

const overlapOf = (
  { document, schemas }: Direction,
  pointer: Pointer,
  { oneOf: _, ...rest }: DocumentNode,
  pair: Pair,
): Overlap | null => {
  const parts = pair.map(index => ({ $ref: `#${encodeURI(alternative(pointer, index))}` }))
  const { valid, boundaries } = compileGenerator({ allOf: [rest, ...parts] }, document)
  if (isUnsupported(valid)) return null
  const sample = createSampler(valid, 0, pointer)
  const values = [
    ...boundaries.slice(0, mostBoundaries),
    ...Array.from({ length: samples }, (_, index) => sample(index)),
  ].toSorted((left, right) => writeJson(left).length - writeJson(right).length)
  for (const value of values) {
    const two = schemas
      .validator(pointer)(value)
      .find(({ at, detail }) => at === '' && detail === 'two')
    if (two?.fits !== undefined) return { pointer: step(pointer, 'oneOf'), value, fits: two.fits }
  }
  return null
}

const alternative = (pointer: Pointer, index: number): Pointer => step(step(pointer, 'oneOf'), index)

/** The pairs of alternatives that some type of value may fit. */
const pairsOf = ({ document }: Direction, pointer: Pointer, { oneOf }: DocumentNode): readonly Pair[] => {
  const types = (oneOf as readonly unknown[]).map(
    (_, index) => placesOf(document, alternative(pointer, index)).types,
  )
  const mayShare = (left: number, right: number): boolean => {
    const [first, second] = [types[left] ?? null, types[right] ?? null]
    return (
      first === null ||
      second === null ||
      first.some(
        type =>
          second.includes(type) ||
          (type === 'integer' && second.includes('number')) ||
          (type === 'number' && second.includes('integer')),
      )
    )
  }
  return types.flatMap((_, right) =>
    types.slice(0, right).flatMap((_type, left) => (mayShare(left, right) ? [[left, right] as const] : [])),
  )
}

/** All schemas of a document that have a `oneOf`; examples are none. */
const unionsIn = (document: DocumentNode): ReadonlyMap<Pointer, DocumentNode> => {
  const found = new Map<Pointer, DocumentNode>()
  const seen = new Set<unknown>()
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    // That two are the same is told by the document's own check.
    if (isNode(node) && Array.isArray(node.oneOf) && repeatedAlternatives(document, node.oneOf).size === 0)
      found.set(at, node)
    for (const [key, child] of Object.entries(node))
      if (!data.has(key) && !key.startsWith('x-')) visit(child, step(at, key))
  }
  visit(document, '')
  return found
}

/** What has values, and no schemas. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const'])
