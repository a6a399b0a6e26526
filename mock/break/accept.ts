import {
  type Cause,
  contextOf,
  isOneOfFew,
  type Operation,
  refusals,
  type Subject,
  steps,
} from '../../spec/index.ts'
import { type Asked, type Breaker, isValid, type Scene, turning, type Unbreakable } from './breaker.ts'
import { isOfKind, isUnusual } from './marks.ts'

/** Refuses valid requests of one kind. */
export const refusing = (scene: Scene): Breaker | Unbreakable => {
  const { operation, obligation } = scene
  const cause = operation.body === null ? 'parameter' : 'body'
  return (
    unrefusable(operation, cause) ??
    turning(asked => isValid(asked) && isHit(scene, obligation.subject, asked), cause)
  )
}

/** Why refusing what is valid would break nothing here; null where it would. */
export const unrefusable = (operation: Operation, cause: Cause): Unbreakable | null => {
  const [status] = refusals(operation, cause)
  if (status === undefined) return { because: 'no failure is declared that a valid request could get' }
  return status === '404' && operation.path.includes('{')
    ? { because: 'the only failure declared is 404, which is right for any path that names something' }
    : null
}

const isHit = (scene: Scene, subject: Subject, asked: Asked): boolean => {
  const isOf = (other: Subject): boolean => isOfKind(scene, other, asked)
  switch (subject.kind) {
    case 'valid':
      return isPlain(scene, asked) && isUnusual(scene, asked)
    case 'presence':
      return isOf(subject) && isPlain(scene, asked) && !isUnusual(scene, asked)
    default:
      return isOf(subject)
  }
}

/** Whether a valid request is of no kind that is promised apart, but for what every request has to be one of. */
export const isPlain = (scene: Scene, asked: Asked): boolean =>
  !scene.siblings.some(({ subject }) => !isAnywhere(scene, subject) && isOfKind(scene, subject, asked))

/** Every request is of one of these kinds. */
const isAnywhere = ({ contract, operation }: Scene, subject: Subject): boolean => {
  if (subject.kind === 'presence') return true
  if (subject.kind !== 'value' || !isOneOfFew(subject)) return false
  if (subject.name !== 'null') return true
  const { in: where, name, place } = subject.where
  if (where !== 'body')
    return operation.parameters.some(own => own.name === name && own.in === where && own.required)
  return contextOf(contract, operation).body?.root.required.includes(steps(place)[0] ?? '') === true
}
