import type { Context, Draft } from './context.ts'

const promises = {
  pairing: 'with many requests in flight each answer belongs to its own request',
  consistency: 'the same kind of request is answered the same way every time',
  drift: 'the answers do not change over some thousand requests',
  recovery: 'after a request that was refused the next one is answered as before',
} as const

/** What holds over time and under load. */
export const loadObligations = ({ operation }: Context): readonly Draft[] =>
  (Object.keys(promises) as readonly (keyof typeof promises)[]).map(name => ({
    path: `load/${name}`,
    family: 'load',
    level: 'MUST',
    promise: promises[name],
    pointer: operation.pointer,
    rfc: 'RFC 9110 3.3',
    subject: { kind: 'load', name },
  }))
