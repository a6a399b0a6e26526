/** A value that is there, or will be: what is there at once is not waited for, as each wait costs a turn of the loop. */
export type Soon<T> = T | Promise<T>

export const after = <A, B>(value: Soon<A>, next: (value: A) => Soon<B>): Soon<B> =>
  value instanceof Promise ? value.then(next) : next(value)
