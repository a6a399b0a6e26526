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

/** The pointer of a local `$ref`: `/components/x` for `#/components/x`; null for any other `$ref`. */
export const localReference = (reference: string): Pointer | null => {
  if (reference === '#') return ''
  return reference.startsWith('#/') ? decodeURIComponent(reference.slice(1)) : null
}

export const valueAt = (root: unknown, pointer: Pointer): unknown =>
  steps(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    root,
  )
