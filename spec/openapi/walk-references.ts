import { type Pointer, step, steps } from '../json/pointer.ts'

export type MutableNode = Record<string, unknown>

export const isTable = (value: unknown): value is MutableNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields whose members have names chosen by the author, so that `example` among them is no keyword. */
const named = new Set([
  '$defs',
  'callbacks',
  'content',
  'definitions',
  'dependentSchemas',
  'encoding',
  'headers',
  'links',
  'mediaTypes',
  'parameters',
  'pathItems',
  'paths',
  'patternProperties',
  'properties',
  'requestBodies',
  'responses',
  'schemas',
  'securityDefinitions',
  'securitySchemes',
  'webhooks',
])

/** Those among them that may have extensions all the same. */
const extensible = new Set(['callbacks', 'paths', 'responses'])

/** Fields with values of the API, which may contain anything. */
const values = new Set(['const', 'dataValue', 'default', 'enum', 'example', 'value'])

/** Root fields that hold what a `$ref` may refer to. */
const roots = {
  openapi: new Set(['components', 'paths', 'webhooks']),
  swagger: new Set(['definitions', 'parameters', 'paths', 'responses']),
}

/** Whether a document has objects of its format at a place: not in extensions, in values, and in fields that it has made up. */
export const isOfFormat = (pointer: Pointer, document: Readonly<MutableNode>): boolean => {
  const [first = '', ...others] = steps(pointer)
  if (!roots[document.swagger === undefined ? 'openapi' : 'swagger'].has(first)) return false
  let isMap = first !== 'components'
  let isExtensible = extensible.has(first)
  for (const key of others) {
    if (!isMap && values.has(key)) return false
    if ((!isMap || isExtensible) && key.startsWith('x-')) return false
    isMap = !isMap && named.has(key)
    isExtensible = isMap && extensible.has(key)
  }
  return true
}

export type Found = {
  /** The object with the `$ref`. */
  readonly node: MutableNode & { readonly $ref: string }
  readonly at: Pointer
  /** What holds it, and under which name. */
  readonly parent: MutableNode
  readonly key: string
  /** Whether its other fields would have names chosen by the author, as in `properties`. */
  readonly isMap: boolean
}

/**
 * Calls `visit` for every object with a `$ref` that is a reference: not in extensions, examples and other values. What is beside
 * the `$ref` is walked through as well, but not what `visit` puts in the place of the object. `each` is called for every
 * object on the way; `key` is empty for a member of a map that has the name of a field by chance.
 */
export const walkReferences = (
  root: object,
  from: Pointer,
  visit: (found: Found) => void,
  each: (node: object, key: string, at: Pointer) => void = () => {},
): void => {
  const meet = (parent: MutableNode, key: string, at: Pointer, isMap: boolean): void => {
    const node = parent[key]
    if (isTable(node) && typeof node.$ref === 'string')
      visit({ node: node as Found['node'], at, parent, key, isMap })
  }
  const walk = (node: object, at: Pointer, isMap: boolean, isExtensible: boolean): void => {
    for (const key of Object.keys(node)) {
      const parent = node as MutableNode
      const child = parent[key]
      if (typeof child !== 'object' || child === null) continue
      if (!isMap && values.has(key)) continue
      if ((!isMap || isExtensible) && key.startsWith('x-')) continue
      const here = step(at, key)
      if (!isMap && key === 'examples') {
        for (const name of isTable(child) ? Object.keys(child) : [])
          meet(child as MutableNode, name, step(here, name), false)
        continue
      }
      const opens = !isMap && isTable(child) && named.has(key)
      each(child, opens || !named.has(key) ? key : '', here)
      const before = parent[key]
      meet(parent, key, here, opens)
      // What `visit` put in its place has been walked through, with its own base.
      if (parent[key] === before) walk(before as object, here, opens, opens && extensible.has(key))
    }
  }
  walk(root, from, false, false)
}

/** Maps of schemas: their members have names that the author chose, and `$id` is one of them. */
const ofSchemas = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])

/**
 * Takes the names of resources and anchors out of a document whose references are all pointers: a validator would look up pointers relative to
 * them, and mind two of a name.
 */
export const stripIdentifiers = (document: MutableNode): void => {
  const drop = (node: object, key: string): void => {
    if (ofSchemas.has(key)) return
    for (const name of ['$id', '$anchor', '$dynamicAnchor']) delete (node as MutableNode)[name]
  }
  drop(document, '')
  walkReferences(document, '', () => {}, drop)
}
