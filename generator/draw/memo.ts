/** Makes a result on the first call and keeps it. */
export const once = <Result>(make: () => Result): (() => Result) => {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: make() }
    return made.result
  }
}

/** Makes one result for each argument and keeps them. */
export const memoised = <Argument, Result>(
  make: (argument: Argument) => Result,
): ((argument: Argument) => Result) => {
  const results = new Map<Argument, Result>()
  return argument => {
    if (results.has(argument)) return results.get(argument) as Result
    const result = make(argument)
    results.set(argument, result)
    return result
  }
}
