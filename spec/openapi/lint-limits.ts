import { asNode } from '../json/follow-refs.ts'
import { localReference, type Pointer, step, valueAt } from '../json/pointer.ts'

type Report = (message: string, at: Pointer) => void

/** The least sizes that a schema may ask for: larger values can be neither made nor sent. */
const mostRequired: Readonly<Record<string, number>> = {
  minLength: 1_000_000,
  minItems: 10_000,
  minContains: 10_000,
  minProperties: 10_000,
}

/** The members that an `enum` may have. */
const mostMembers = 10_000

/** The schemas that a schema may consist of, after all `allOf`, `anyOf` and the like. */
const mostParts = 20_000

/** The parameters that one segment of a path may have: from the text of a request it must be clear which value each of them has. */
const mostInSegment = 8

/** What holds for the same value as the schema around it. */
const single = ['not', 'if', 'then', 'else'] as const
const several = ['allOf', 'anyOf', 'oneOf'] as const

const isSkipped = (key: string): boolean =>
  ['example', 'examples', 'default', 'const', 'enum'].includes(key) || key.startsWith('x-')

/**
 * Reports what no program could handle: schemas that require values too large to make, that consist of too many parts, or that refer to
 * themselves for the same value. Only what the operations use is looked at.
 */
export const lintLimits = (document: object, report: Report): void => {
  const partsOf = createParts(document)
  const seen = new Set<unknown>()
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    checkSizes(node, at, report)
    const parts = partsOf(node)
    if (parts === 'endless')
      report('the schema refers to itself without end: no value can be checked against it', at)
    else if (parts > mostParts)
      report(`the schema has too many parts after its allOf, anyOf and oneOf: more than ${mostParts}`, at)
    for (const [key, child] of Object.entries(node)) if (!isSkipped(key)) visit(child, step(at, key))
    const target = targetOf(document, node)
    if (target !== null) visit(target.node, target.at)
  }
  const paths = valueAt(document, '/paths')
  if (typeof paths === 'object' && paths !== null)
    for (const path of Object.keys(paths)) checkSegments(path, step('/paths', path), report)
  visit(paths, '/paths')
}

const checkSegments = (path: string, at: Pointer, report: Report): void => {
  const most = Math.max(...path.split('/').map(segment => segment.split('{').length - 1))
  if (most > mostInSegment)
    report(
      `a segment of the path has ${most} parameters, and their values cannot be told apart: put a / between them`,
      at,
    )
}

const checkSizes = (node: object, at: Pointer, report: Report): void => {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'enum' && Array.isArray(value) && value.length > mostMembers)
      report(`enum has ${value.length} values, but more than ${mostMembers} cannot be tested`, step(at, key))
    if (typeof value !== 'number') continue
    const most = Object.hasOwn(mostRequired, key) ? mostRequired[key] : undefined
    if (!Number.isFinite(value)) report(`${key} is a number that is too large`, step(at, key))
    else if (most !== undefined && value > most)
      report(`${key} is ${value}, but values of more than ${most} cannot be tested`, step(at, key))
  }
}

const targetOf = (
  document: object,
  node: object,
): { readonly node: unknown; readonly at: Pointer } | null => {
  const { $ref: reference } = node as { readonly $ref?: unknown }
  const at = typeof reference === 'string' ? localReference(reference) : null
  return at === null ? null : { node: valueAt(document, at), at }
}

/** Counts the schemas that hold for one value, each as often as it is referred to. */
const createParts = (document: object) => {
  const known = new Map<object, number | 'endless'>()
  const open = new Set<object>()
  const partsOf = (node: unknown): number | 'endless' => {
    if (typeof node !== 'object' || node === null) return 0
    const before = known.get(node)
    if (before !== undefined) return before
    if (open.has(node)) return 'endless'
    open.add(node)
    const parts = childrenOf(document, node).map(partsOf)
    open.delete(node)
    const count = parts.includes('endless')
      ? 'endless'
      : parts.reduce<number>((sum, part) => sum + Number(part), 1)
    known.set(node, count)
    return count
  }
  return partsOf
}

const childrenOf = (document: object, node: object): readonly unknown[] => {
  const parts = asNode(node)
  return [
    targetOf(document, node)?.node,
    ...single.map(key => parts[key]),
    ...several.flatMap(key => (Array.isArray(parts[key]) ? (parts[key] as readonly unknown[]) : [])),
  ]
}
