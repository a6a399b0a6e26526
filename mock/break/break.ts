import {
  type Contract,
  codes,
  nearest,
  type Obligation,
  obligationsOf,
  type Tokens,
  type Unauthenticated,
} from '../../spec/index.ts'
import type { Desk, Engine } from '../engine.ts'

import { refusing } from './accept.ts'
import { flawing } from './answer.ts'
import { BreakError } from './break-error.ts'
import type { Answers, Asked, Breaker, Scene, Unbreakable } from './breaker.ts'
import { confusing } from './credentials.ts'
import { straying } from './load.ts'
import { deciding } from './open.ts'
import { accepting } from './refuse.ts'

export type BreakOptions = {
  readonly contract: Contract
  readonly tokens: Tokens
  readonly unauthenticated: Unauthenticated
  /** The obligation to break. */
  readonly id: string
  readonly desk: Desk
}

/** An engine that keeps every obligation but one. Throws BreakError where there is no such obligation, or no way to break it. */
export const breakOne = async ({
  contract,
  tokens,
  unauthenticated: policy,
  id,
  desk,
}: BreakOptions): Promise<Engine> => {
  const obligations = obligationsOf(contract, policy)
  const obligation = obligations.find(own => own.id === id)
  if (obligation === undefined) throw new BreakError(unknown(id, obligations), null)
  const operation = contract.operations.find(own => own.id === obligation.operation)
  if (operation === undefined) throw new BreakError(unknown(id, obligations), null)
  const siblings = obligations.filter(own => own.operation === operation.id)
  const breaker = await breakerOf({ contract, operation, obligation, siblings, tokens, policy, desk })
  if (typeof breaker !== 'function')
    throw new BreakError(`${id} cannot be broken: ${breaker.because}`, breaker.because)
  return wrapped(desk, operation.id, breaker)
}

const wrapped = (desk: Desk, operation: string, breaker: Breaker): Engine => {
  const histories = new WeakMap<object, boolean[]>()
  return async request => {
    const read = desk.read(request)
    const before = histories.get(request.connection) ?? []
    histories.set(request.connection, [...before, read !== null && read.breaches.length === 0].slice(-8))
    if (read !== null && read.operation.id !== operation) return desk.engine(request)
    const asked: Asked | null = read === null ? null : { ...read, request, before }
    const answers: Answers = {
      usual: () => desk.engine(request),
      accept: () => (read === null ? desk.engine(request) : desk.accept(read)),
      refuse: cause =>
        read === null
          ? desk.engine(request)
          : desk.refuse(read.operation, cause, { code: codes.otherRule, messages: ['refused'] }),
    }
    const answer = await breaker(asked, answers)
    return read === null ? answer : { ...answer, judged: read, scenario: 'break' }
  }
}

const breakerOf = async (scene: Scene): Promise<Breaker | Unbreakable> => {
  const { subject } = scene.obligation
  switch (subject.kind) {
    case 'valid':
    case 'presence':
    case 'value':
    case 'layout':
    case 'framing':
    case 'size':
    case 'branch':
      return refusing(scene)
    case 'media':
      return subject.accepted ? refusing(scene) : accepting(scene)
    case 'keyword':
    case 'malformed':
    case 'no-body':
    case 'missing-parameter':
      return accepting(scene)
    case 'credentials':
      return confusing(scene, subject)
    case 'answer':
      return flawing(scene, subject)
    case 'load':
      return straying(scene, subject)
    case 'open':
      return deciding(scene, subject)
    case 'wire':
      return { because: 'HTTP itself is not the engine’s' }
    default:
      return subject satisfies never
  }
}

const unknown = (id: string, obligations: readonly Obligation[]): string => {
  const near = nearest(
    id,
    obligations.map(own => own.id),
  )
  return `there is no obligation ${id}: ${near.length === 0 ? '' : `did you mean ${near.join(', ')}? `}plantstore obligations lists them`
}
