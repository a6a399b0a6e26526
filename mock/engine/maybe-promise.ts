/** A value, or the promise of one. A value that is at hand is not awaited: each `await` costs a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

export const chain = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
