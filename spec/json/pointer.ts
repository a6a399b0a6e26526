/** A JSON Pointer (RFC 6901): `''` for the whole document, `/paths/~1plants/post` for a place in it. */
export type Pointer = string

export const step = (at: Pointer, key: string | number): Pointer =>
  `${at}/${typeof key === 'string' && /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`

export const steps = (pointer: Pointer): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map(key => (key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key))

/** The place around a place; `''` around the whole document. */
export const parentOf = (at: Pointer): Pointer => at.slice(0, Math.max(0, at.lastIndexOf('/')))

/** The pointer of a local `$ref`: `/components/x` for `#/components/x`; null for any other `$ref`. */
export const localReference = (reference: string): Pointer | null => {
  if (reference === '#') return ''
  return reference.startsWith('#/') ? decodeURIComponent(reference.slice(1)) : null
}

export const valueAt = (root: unknown, pointer: Pointer): unknown =>
  steps(pointer).reduce<unknown>(memberOf, root)

/** One step further: what an object or a list has by this name. */
export const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
