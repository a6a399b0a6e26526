/** OpenAPI Overlay 1.0 and 1.1: changes of a document that stand in a file of their own. */
import { DocumentError } from '../../errors.ts'
import { define } from '../../json/define.ts'
import { type Pointer, pointerOf, step, steps } from '../../json/pointer.ts'
import type { Problem } from '../diagnostic.ts'
import { normal, type Origin, type Sources } from '../source-map.ts'
import { isTable } from '../walk-references.ts'

/** A document with its overlays: where its places come from, and which actions changed nothing. */
export type Overlaid = {
  readonly value: unknown
  /** Where a place of the document with overlays comes from. */
  readonly origin: (origin: Origin) => Origin
  readonly problems: readonly Problem[]
}

export type Overlay = { readonly url: string; readonly value: unknown }
type Action = {
  readonly target?: unknown
  readonly update?: unknown
  readonly remove?: unknown
  readonly copy?: unknown
}
type Node = { readonly value: unknown; readonly location: readonly (string | number)[] }
type Query = (path: string, value: unknown) => { readonly nodes: readonly Node[] }

/** Applies overlays in their order to the value of the root file, which they change. Throws DocumentError if one is no overlay. */
export const applyOverlays = async (
  root: string,
  document: unknown,
  overlays: readonly Overlay[],
  sources: Sources,
): Promise<Overlaid> => {
  const holder = { value: document }
  const origins = new Map<Pointer, Origin>()
  const problems: Problem[] = []
  const { jsonpath } = await import('./json-path-library.ts')
  for (const { url, value } of overlays)
    for (const [index, action] of actionsOf({ url, value }, sources).entries()) {
      const at = `/actions/${index}`
      const fail = (message: string): never => {
        throw new DocumentError([{ message, place: sources.placeIn({ url, pointer: at }) }])
      }
      const select = (path: unknown, name: string): readonly Node[] => {
        if (typeof path !== 'string')
          return fail(`the action of the overlay has no ${name}: write a JSONPath, such as $.info`)
        try {
          return (jsonpath.query as Query)(path, holder.value).nodes
        } catch (error) {
          return fail(`the ${name} ${path} is not a JSONPath (RFC 9535): ${(error as Error).message}`)
        }
      }
      const nodes = select(action.target, 'target')
      if (nodes.length === 0)
        problems.push({
          message: `the overlay changes nothing here: the document has no ${String(action.target)}`,
          place: sources.placeIn({ url, pointer: at }),
        })
      const from: Origin = { url, pointer: `${at}/update` }
      const copied = action.copy === undefined ? undefined : select(action.copy, 'copy')
      if (copied !== undefined && copied.length !== 1)
        fail(`copy must name exactly one place, and ${String(action.copy)} names ${copied.length}`)
      // The last one first: removing an item moves those behind it.
      for (const { location } of nodes.toReversed()) {
        if (action.remove === true) remove(holder, location, origins, root)
        else if (copied !== undefined)
          put(holder, location, structuredClone(copied[0]?.value), { url, pointer: `${at}/copy` }, origins)
        if (action.remove !== true && action.update !== undefined)
          put(holder, location, structuredClone(action.update), from, origins)
      }
    }
  return { value: holder.value, origin: originIn(root, origins), problems }
}

const actionsOf = ({ url, value }: Overlay, sources: Sources): readonly Action[] => {
  const { overlay, actions } = isTable(value) ? value : {}
  const fail = (message: string, pointer: Pointer): never => {
    throw new DocumentError([{ message, place: sources.placeIn({ url, pointer }) }])
  }
  if (typeof overlay !== 'string')
    return fail('this is not an OpenAPI overlay: it has no field `overlay`', '')
  if (!/^1\.[01]\.\d+$/.test(overlay))
    return fail(`overlays of the version ${overlay} are not read: use 1.0.0 or 1.1.0`, '/overlay')
  if (!Array.isArray(actions) || actions.length === 0 || !actions.every(isTable))
    return fail('the overlay has no actions: list at least one, with a target', '/actions')
  return actions as readonly Action[]
}

/** The object or list that holds what is at a place, and its name there. */
const holderOf = (
  holder: { value: unknown },
  location: Node['location'],
): readonly [within: Record<string, unknown> | unknown[], name: string | number] => {
  const [last, path] = [location.at(-1), location.slice(0, -1)]
  if (last === undefined) return [holder as Record<string, unknown>, 'value']
  const within = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], holder.value)
  return [within as Record<string, unknown>, last]
}

const pointerTo = (location: Node['location']): Pointer => pointerOf(location.map(String))

const remove = (
  holder: { value: unknown },
  location: Node['location'],
  origins: Map<Pointer, Origin>,
  root: string,
): void => {
  const [within, name] = holderOf(holder, location)
  if (!Array.isArray(within)) {
    delete within[name]
    return
  }
  const index = Number(name)
  within.splice(index, 1)
  const list = pointerTo(location.slice(0, -1))
  // What stood behind it is found where it stood before.
  for (let now = index; now < within.length; now++) {
    const before = step(list, String(now + 1))
    origins.set(step(list, String(now)), origins.get(before) ?? { url: root, pointer: before })
  }
}

const put = (
  holder: { value: unknown },
  location: Node['location'],
  update: unknown,
  from: Origin,
  origins: Map<Pointer, Origin>,
): void => {
  const [within, name] = holderOf(holder, location)
  const at = pointerTo(location)
  const old = (within as Record<string | number, unknown>)[name]
  const value =
    Array.isArray(old) && !Array.isArray(update)
      ? merged(old, [update], from, at, origins)
      : merged(old, update, from, at, origins)
  if (Array.isArray(within)) within[Number(name)] = value
  else define(within, String(name), value)
}

/** Objects are merged, lists appended to, and everything else replaced. */
const merged = (
  old: unknown,
  update: unknown,
  from: Origin,
  at: Pointer,
  origins: Map<Pointer, Origin>,
): unknown => {
  if (isTable(old) && isTable(update)) {
    for (const [name, value] of Object.entries(update))
      define(
        old as Record<string, unknown>,
        name,
        merged(
          Object.hasOwn(old, name) ? old[name] : undefined,
          value,
          { ...from, pointer: step(from.pointer, name) },
          step(at, name),
          origins,
        ),
      )
    return old
  }
  if (Array.isArray(old) && Array.isArray(update)) {
    for (const [index] of update.entries())
      origins.set(step(at, String(old.length + index)), {
        ...from,
        pointer: step(from.pointer, String(index)),
      })
    return [...old, ...update]
  }
  origins.set(at, from)
  return update
}

const originIn =
  (root: string, origins: ReadonlyMap<Pointer, Origin>) =>
  (origin: Origin): Origin => {
    if (normal(origin.url) !== normal(root)) return origin
    const names = steps(origin.pointer)
    for (let length = names.length; length > 0; length--) {
      const found = origins.get(pointerOf(names.slice(0, length)))
      if (found !== undefined)
        return { url: normal(found.url), pointer: `${found.pointer}${pointerOf(names.slice(length))}` }
    }
    return origin
  }
