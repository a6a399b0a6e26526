/** OpenAPI Overlay 1.0 and 1.1: changes of a document that stand in a file of their own. */
import { DocumentError } from '../../errors.ts'
import { define } from '../../json/define.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import { originAmong } from '../bundle.ts'
import type { Problem } from '../diagnostic.ts'
import { normal, type Origin, type Sources } from '../source-map.ts'
import { isTable } from '../walk-references.ts'

/** The value of an overlay, and the address of its file. */
export type Overlay = { readonly url: string; readonly value: unknown }

/** The document with its overlays. */
export type Overlaid = {
  readonly value: unknown
  /** Where a place of it comes from. */
  readonly origin: (origin: Origin) => Origin
  /** The actions that changed nothing. */
  readonly problems: readonly Problem[]
}

type Action = {
  readonly target?: unknown
  readonly update?: unknown
  readonly remove?: unknown
  readonly copy?: unknown
}
type Location = readonly (string | number)[]
type Node = { readonly value: unknown; readonly location: Location }

/** Applies overlays in their order to a copy of the root file’s value. Throws DocumentError if one is not an overlay. */
export const applyOverlays = async (
  root: string,
  document: unknown,
  overlays: readonly Overlay[],
  sources: Sources,
): Promise<Overlaid> => {
  if (overlays.length === 0) return { value: document, origin: at => at, problems: [] }
  const { jsonpath } = await import('./json-path-library.ts')
  const edited = createEditedDocument(root, document)
  const problems: Problem[] = []
  for (const { url, value } of overlays)
    for (const [index, { target, update, remove, copy }] of actionsOf({ url, value }, sources).entries()) {
      const at: Origin = { url, pointer: `/actions/${index}` }
      const select = (path: unknown, name: string): readonly Node[] => {
        if (typeof path !== 'string')
          return fail(
            `the action of the overlay has no ${name}: write a JSONPath, such as $.info`,
            at,
            sources,
          )
        try {
          return jsonpath.query(path, edited.value() as never).nodes
        } catch (error) {
          const { message } = error as Error
          return fail(`the ${name} ${path} is not a JSONPath (RFC 9535): ${message}`, at, sources)
        }
      }
      // The specification lets each of them have no effect beside the other.
      if (update !== undefined && copy !== undefined)
        fail('the action has both update and copy: write two actions', at, sources)
      const nodes = select(target, 'target')
      const copied = copy === undefined ? [] : select(copy, 'copy')
      if (copy !== undefined && copied.length !== 1)
        fail(`copy must name exactly one place, and ${copy} names ${copied.length}`, at, sources)
      if (nodes.length === 0)
        problems.push({
          message: `the overlay changes nothing here: the document has no ${target}`,
          place: sources.placeIn(at),
        })
      // The last one first: removing an item moves those behind it.
      for (const { location } of nodes.toReversed())
        if (remove === true) edited.remove(location)
        else {
          for (const node of copied) edited.put(location, node.value, { url, pointer: `${at.pointer}/copy` })
          if (update !== undefined) edited.put(location, update, { url, pointer: `${at.pointer}/update` })
        }
    }
  return { value: edited.value(), origin: edited.origin, problems }
}

const fail = (message: string, at: Origin, sources: Sources): never => {
  throw new DocumentError([{ message, place: sources.placeIn(at) }])
}

const actionsOf = ({ url, value }: Overlay, sources: Sources): readonly Action[] => {
  const { overlay, actions } = isTable(value) ? value : {}
  if (typeof overlay !== 'string')
    return fail('this is not an OpenAPI overlay: it has no field `overlay`', { url, pointer: '' }, sources)
  if (!/^1\.[01]\.\d+$/.test(overlay))
    return fail(
      `overlays of the version ${overlay} are not read: use 1.0.0 or 1.1.0`,
      { url, pointer: '/overlay' },
      sources,
    )
  // The specification asks for at least one, but a list that a program made may be empty.
  if (!Array.isArray(actions) || !actions.every(isTable))
    return fail(
      'the overlay has no list of actions: list some, each with a target',
      { url, pointer: '/actions' },
      sources,
    )
  return actions
}

/** A copy in which nothing is shared: two aliases of YAML are one object, and would change together. */
const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied)
  if (!isTable(value)) return value
  const copy = {}
  for (const [name, inner] of Object.entries(value)) define(copy, name, copied(inner))
  return copy
}

/** A document that changes, and where each of its places comes from. */
const createEditedDocument = (root: string, document: unknown) => {
  const holder: Record<string, unknown> = { value: copied(document) }
  const origins = new Map<Pointer, Origin>()

  /** What holds the value at a place, and its name there. */
  const holderOf = (
    location: Location,
  ): readonly [within: Record<string | number, unknown>, name: string | number] => {
    const path: Location = ['value', ...location]
    const within = path.slice(0, -1).reduce<unknown>((value, name) => (value as typeof holder)[name], holder)
    return [within as Record<string | number, unknown>, path.at(-1) ?? '']
  }

  /** Forgets where a place and all that is in it come from, and gives what was known, by the rest of the pointer. */
  const forget = (at: Pointer): readonly (readonly [rest: string, origin: Origin])[] => {
    const known = [...origins].filter(([pointer]) => pointer === at || pointer.startsWith(`${at}/`))
    for (const [pointer] of known) origins.delete(pointer)
    return known.map(([pointer, origin]) => [pointer.slice(at.length), origin])
  }

  const comesFrom = (at: Pointer, origin: Origin): void => {
    forget(at)
    origins.set(at, origin)
  }

  const remove = (location: Location): void => {
    const [within, name] = holderOf(location)
    forget(pointerTo(location))
    if (!Array.isArray(within)) {
      delete within[name]
      return
    }
    const index = Number(name)
    within.splice(index, 1)
    const list = pointerTo(location.slice(0, -1))
    // What stood behind it is found where it stood before.
    for (let now = index; now < within.length; now++) {
      const before = step(list, now + 1)
      const [at, known] = [step(list, now), forget(before)]
      comesFrom(at, { url: root, pointer: before })
      for (const [rest, origin] of known) origins.set(at + rest, origin)
    }
  }

  /** Objects are merged, lists appended to, and everything else is replaced. */
  const merged = (old: unknown, update: unknown, at: Pointer, from: Origin): unknown => {
    if (isTable(old) && isTable(update)) {
      for (const [name, value] of Object.entries(update)) {
        const before = Object.hasOwn(old, name) ? old[name] : undefined
        const source = { ...from, pointer: step(from.pointer, name) }
        define(old, name, merged(before, value, step(at, name), source))
      }
      return old
    }
    if (Array.isArray(old) && Array.isArray(update)) {
      for (const index of update.keys())
        comesFrom(step(at, old.length + index), { ...from, pointer: step(from.pointer, index) })
      return [...old, ...update]
    }
    comesFrom(at, from)
    return update
  }

  return {
    value: (): unknown => holder.value,
    remove,
    put: (location: Location, update: unknown, from: Origin): void => {
      const [within, name] = holderOf(location)
      const old = within[name]
      // What is no list is one item of it.
      const added = Array.isArray(old) && !Array.isArray(update) ? [update] : update
      define(
        within as Record<string, unknown>,
        String(name),
        merged(old, copied(added), pointerTo(location), from),
      )
    },
    origin: (origin: Origin): Origin =>
      (normal(origin.url) === normal(root) ? originAmong(origins, origin.pointer) : null) ?? origin,
  }
}

const pointerTo = (location: Location): Pointer => location.reduce<Pointer>((at, name) => step(at, name), '')
