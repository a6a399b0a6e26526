import type { Cause, Contract, Obligation, Operation, Tokens, Unauthenticated } from '../../spec/index.ts'
import type { Composed } from '../compose.ts'
import type { Desk, MockRequest, Read } from '../engine.ts'
import type { Soon } from '../soon.ts'

/** A request to the operation whose obligation is broken. */
export type Asked = Read & {
  readonly request: MockRequest
  /** Of each earlier request on the same connection, whether it was valid. */
  readonly before: readonly boolean[]
}

/** The answers that a breaker may give. */
export type Answers = {
  /** What the contract asks for. */
  readonly usual: () => Soon<Composed>
  /** The declared success, whatever was sent. */
  readonly accept: () => Soon<Composed>
  /** The declared failure, whatever was sent. */
  readonly refuse: (cause: Cause) => Soon<Composed>
}

/** Answers in the place of the engine; `asked` is null where the request is for no declared operation. */
export type Breaker = (asked: Asked | null, answers: Answers) => Soon<Composed>

/** Nothing can be broken there, and why. */
export type Unbreakable = { readonly because: string }

/** What breakers are made from. */
export type Scene = {
  readonly contract: Contract
  readonly operation: Operation
  readonly obligation: Obligation
  /** All obligations of the operation. */
  readonly siblings: readonly Obligation[]
  readonly tokens: Tokens
  readonly policy: Unauthenticated
  readonly desk: Desk
}

/** Takes requests for valid or not, against the contract, where `hit` says so. */
export const turning = (hit: (asked: Asked) => boolean, turn: 'accept' | Cause): Breaker => {
  return (asked, { usual, accept, refuse }) => {
    if (asked === null || !hit(asked)) return usual()
    return turn === 'accept' ? accept() : refuse(turn)
  }
}

export const isValid = ({ breaches }: Asked): boolean => breaches.length === 0
