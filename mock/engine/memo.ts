/** Computes a value from an object, again only when there is another object. */
export const memoize = <T extends object, R>(current: () => T, compute: (object: T) => R): (() => R) => {
  let last: { readonly object: T; readonly result: R } | null = null
  return () => {
    const object = current()
    if (last?.object !== object) last = { object, result: compute(object) }
    return last.result
  }
}
