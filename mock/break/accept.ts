import {
  type Cause,
  contextOf,
  isOfBody,
  isOneOfFew,
  type Operation,
  refusals,
  type Subject,
  steps,
  type Where,
} from '../../spec/index.ts'
import { type Asked, type Breaker, isValid, type Scene, turning, type Unbreakable } from './breaker.ts'
import { isOfKind, isUnusual, mayBeUnusual } from './marks.ts'

/** Refuses valid requests of one kind. */
export const refusing = (scene: Scene): Breaker | Unbreakable => {
  const { operation, obligation } = scene
  const cause = operation.body === null ? 'parameter' : 'body'
  return (
    unrefusable(operation, cause) ??
    (obligation.subject.kind === 'valid' ? indistinct(scene) : null) ??
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
      return isOdd(scene, asked)
    default:
      return isOf(subject)
  }
}

/** Whether a valid request is of no kind that is promised apart, but for what every request has to be one of. */
export const isPlain = (scene: Scene, asked: Asked): boolean =>
  !scene.siblings.some(({ subject }) => !isAnywhere(scene, subject) && isOfKind(scene, subject, asked))

/** Why no valid request can be told from those that are promised apart; null where some can. */
export const indistinct = (scene: Scene): Unbreakable | null =>
  mayBeUnusual(scene)
    ? null
    : { because: 'all valid requests look like those of other promises: what breaks it breaks these as well' }

/** Whether a valid request is one of the many that nothing is promised of but that they are valid. */
export const isOdd = (scene: Scene, asked: Asked): boolean => isPlain(scene, asked) && isUnusual(scene, asked)

/** Every request is of one of these kinds. */
const isAnywhere = (scene: Scene, subject: Subject): boolean => {
  switch (subject.kind) {
    case 'presence':
      return true
    case 'branch':
      return (
        subject.keyword !== 'dependentSchemas' &&
        (isOfBody(subject.where) || isAlwaysThere(scene, subject.where))
      )
    case 'value':
      return isOneOfFew(subject) && (subject.name !== 'null' || isAlwaysThere(scene, subject.where))
    default:
      return false
  }
}

const isAlwaysThere = ({ contract, operation }: Scene, where: Where): boolean => {
  if (!isOfBody(where))
    return operation.parameters.some(own => own.name === where.name && own.in === where.in && own.required)
  const [first] = steps(where.place)
  return first === undefined || contextOf(contract, operation).body?.root.required.includes(first) === true
}
