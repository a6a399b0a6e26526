import { asNode } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import type { Problem } from './diagnostic.ts'
import type { Files } from './files.ts'
import { hoistDiscriminated } from './hoist.ts'
import { createResolver } from './resolve.ts'
import { normal, type Origin, type Sources } from './source-map.ts'
import { type Found, isOfFormat, isTable, type MutableNode, walkReferences } from './walk-references.ts'

/** A document in one piece, with `$ref`s of the form `#/…` only. */
export type Bundle = {
  readonly document: MutableNode
  /** The objects whose `$ref` leads nowhere, and why. They are left as they are. */
  readonly dead: ReadonlyMap<object, Problem>
  readonly warnings: readonly Problem[]
  /** Where a place of the bundle comes from. */
  readonly origin: (pointer: Pointer) => Origin
}

/**
 * Puts what the files of a document refer to into the document: each target at the first place that refers to it. Changes the value of the
 * root file. `isOld`: as in OpenAPI 3.0, what is beside a `$ref` is ignored.
 */
export const bundle = (root: string, files: Files, sources: Sources, isOld: boolean): Bundle => {
  const rootUrl = normal(root)
  const file = files.get(rootUrl)
  const document = (file !== undefined && 'value' in file ? file.value : {}) as MutableNode
  hoistDiscriminated(rootUrl, files)
  const resolve = createResolver(files)
  const dead = new Map<object, Problem>()
  const warnings: Problem[] = []
  const origins = new Map<Pointer, Origin>()
  const placed = new Map<string, Pointer>()
  const open: string[] = []
  /** The mappings of discriminators, whose values are references without a `$ref`. */
  const mappings: { readonly mapping: MutableNode; readonly url: string; readonly pointer: Pointer }[] = []

  /** Where the bundle has a place of another file, if it has it already. */
  const placeOf = ({ url, pointer }: Origin): Pointer | null => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = placed.get(`${url}#${at}`)
      if (found !== undefined) return found + pointer.slice(at.length)
      if (at === '') return null
    }
  }

  // What stands at a place of its own, such as an extension, is not looked at there: it is put where it is referred to, as if from another file.
  const knownPlace = (target: Origin): Pointer | null =>
    target.url === rootUrl && isOfFormat(target.pointer, document) ? target.pointer : placeOf(target)

  const walk = (node: object, url: string, at: Pointer, here: Pointer): void => {
    walkReferences(
      node,
      '',
      found => meet(found, { url, pointer: at + found.at }, here + found.at),
      (child, key, from) => {
        const { mapping } = key === 'discriminator' ? asNode(child) : {}
        if (isTable(mapping)) mappings.push({ mapping, url, pointer: `${at}${from}/mapping` })
      },
    )
  }

  const meet = (found: Found, { url, pointer }: Origin, here: Pointer): void => {
    const { node, key, isMap } = found
    const place = (): Problem['place'] => sources.placeIn({ url, pointer: step(pointer, '$ref') })
    const target = resolve(url, node.$ref, pointer)
    if ('message' in target) {
      dead.set(node, { message: target.message, place: target.place ?? place() })
    } else if (
      isMap &&
      (open.includes(`${target.url}#${target.pointer}`) || isWithin({ url, pointer }, target))
    ) {
      dead.set(node, { message: `the $ref "${node.$ref}" refers to itself without end`, place: place() })
    } else {
      if (isMap)
        warnings.push({
          message: `a $ref is not possible for ${key}: it is followed all the same`,
          place: place(),
        })
      put(found, target, here)
    }
  }

  const put = ({ node, parent, key, isMap }: Found, target: Origin, here: Pointer): void => {
    const isPath = key.startsWith('/')
    if (isOld && !isPath && !isMap)
      for (const name of Object.keys(node)) if (name !== '$ref') delete (node as MutableNode)[name]
    const isAlone = Object.keys(node).length === 1
    const known = knownPlace(target)
    if (known !== null && !isMap && (isAlone || !isPath)) {
      ;(node as MutableNode).$ref = `#${encodeURI(known)}`
      return
    }
    const value = structuredClone(contentOf(target))
    if (isTable(value) && (isAlone || isPath || isMap)) {
      const { $ref: _, ...siblings } = node
      parent[key] = { ...value, ...siblings }
      enter(parent, key, isMap, target, here)
      return
    }
    // What is beside the `$ref` must hold as well, so that the target gets a place of its own.
    const section = referencedSection(document)
    const name = String(Object.keys(section).length + 1)
    const at = step('/x-referenced', name)
    section[name] = value
    ;(node as MutableNode).$ref = `#${at}`
    enter(section, name, false, target, at)
  }

  /** Goes on in what has been put into the document. */
  const enter = (parent: MutableNode, key: string, isMap: boolean, target: Origin, here: Pointer): void => {
    const value = parent[key]
    if (!isTable(value)) return
    const id = `${target.url}#${target.pointer}`
    placed.set(id, here)
    origins.set(here, target)
    open.push(id)
    if (typeof value.$ref === 'string')
      meet({ node: value as Found['node'], at: '', parent, key, isMap }, target, here)
    if (parent[key] === value) walk(value, target.url, target.pointer, here)
    open.pop()
  }

  const contentOf = ({ url, pointer }: Origin): unknown => {
    const found = files.get(url)
    return found !== undefined && 'value' in found ? valueAt(found.value, pointer) : undefined
  }

  walk(document, rootUrl, '', '')
  // All targets have a place by now. A mapping may also have the name of a schema, which stays.
  for (const { mapping, url, pointer } of mappings)
    for (const [value, reference] of Object.entries(mapping)) {
      const target =
        typeof reference === 'string' && /[./#]/.test(reference) ? resolve(url, reference, pointer) : null
      const at = target === null || 'message' in target ? null : knownPlace(target)
      if (at !== null) mapping[value] = `#${encodeURI(at)}`
      else if (typeof reference === 'string' && !isSchemaName(document, reference))
        warnings.push({
          message: `the mapping of the discriminator leads nowhere for "${value}": ${reference} is no schema`,
          place: sources.placeIn({ url, pointer: step(pointer, value) }),
        })
    }
  const origin = (pointer: Pointer): Origin => originAmong(origins, pointer) ?? { url: rootUrl, pointer }
  return { document, dead, warnings, origin }
}

/** Where a place comes from, by the nearest place above it that is known; null if none is. */
export const originAmong = (origins: ReadonlyMap<Pointer, Origin>, pointer: Pointer): Origin | null => {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = origins.get(at)
    if (found !== undefined) return { url: found.url, pointer: found.pointer + pointer.slice(at.length) }
  }
  return null
}

/** Whether a place is part of another one: what is copied there would contain itself, and double with each copy. */
const isWithin = ({ url, pointer }: Origin, outer: Origin): boolean =>
  url === outer.url && `${pointer}/`.startsWith(`${outer.pointer}/`)

const isSchemaName = (document: MutableNode, name: string): boolean =>
  [asNode(document.components).schemas, document.definitions].some(schemas =>
    Object.hasOwn(asNode(schemas), name),
  )

const referencedSection = (document: MutableNode): MutableNode => {
  const section = document['x-referenced']
  if (isTable(section)) return section
  const empty: MutableNode = {}
  document['x-referenced'] = empty
  return empty
}
