import { isObject, type Json, propertyIn, type Resource, writeJson } from '../../spec/index.ts'

/** Whether two names are the same: a path and a Location have text where JSON may have a number. */
export const isNamed = (left: Json | undefined, right: Json | undefined): boolean =>
  left !== undefined && right !== undefined && nameText(left) === nameText(right)

/** A name as a path has it: what was created may be a number where its path has a text. */
export const nameText = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))

/** A name, and of a path or a URL also its last segment: what is shown as `users/1` is `1` where a path takes one segment. */
export const withLastSegment = (name: Json): readonly Json[] => {
  if (typeof name !== 'string' || !/^[\w.:~/-]+$/.test(name)) return [name]
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last === '' || last === name ? [name] : [name, last]
}

/** Whether an item of a list is what has this name; a list may also have names alone. */
export const isItemNamed = (resource: Resource, item: Json, name: Json | undefined): boolean =>
  isNamed(isObject(item) ? propertyIn(resource, item) : item, name)

/**
 * Whether an item of a list may be what has this name: a path may take another property than its parameter is called, such as the `name` of a terminal for
 * `{terminal_id}`.
 */
export const mayBeNamed = (resource: Resource, item: Json, name: Json | undefined): boolean =>
  isItemNamed(resource, item, name) ||
  (isObject(item) && Object.values(item).some(value => isNamed(value, name)))
