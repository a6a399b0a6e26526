/** What `make` makes of a list, made once for each list. */
export const onChange = <T extends object, M>(list: () => T, make: (list: T) => M): (() => M) => {
  let last: { readonly of: T; readonly made: M } | null = null
  return () => {
    const of = list()
    if (last?.of !== of) last = { of, made: make(of) }
    return last.made
  }
}
