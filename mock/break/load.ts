import {
  contextOf,
  isSuccess,
  placeOf,
  refusals,
  type SchemaPlace,
  type Subject,
  step,
} from '../../spec/index.ts'
import type { Composed } from '../compose.ts'
import { isPlain, unrefusable } from './accept.ts'
import { type Breaker, isValid, type Scene, type Unbreakable } from './breaker.ts'
import { isUnusual } from './marks.ts'

const driftAfter = 300
const oddOneOut = 7

/** Goes wrong by what came before. */
export const straying = (
  scene: Scene,
  { name }: Extract<Subject, { kind: 'load' }>,
): Breaker | Unbreakable => {
  const { operation } = scene
  const cause = operation.body === null ? 'parameter' : 'body'
  switch (name) {
    case 'pairing':
      return hasEcho(scene)
        ? swapping(scene)
        : { because: 'an answer carries no text of its request by which it could be told' }
    case 'drift':
      return unrefusable(operation, cause) ?? drifting()
    case 'consistency':
      return unrefusable(operation, cause) ?? wavering(scene)
    case 'recovery':
      return (
        unrefusable(operation, cause) ??
        (refusals(operation, cause).length === 0 ? { because: 'nothing is refused' } : resenting())
      )
  }
  function drifting(): Breaker {
    let count = 0
    return (asked, { usual, refuse }) => {
      count += 1
      return asked !== null && isValid(asked) && count > driftAfter ? refuse(cause) : usual()
    }
  }
  function wavering(own: Scene): Breaker {
    let count = 0
    return (asked, { usual, refuse }) => {
      if (asked === null || !isValid(asked) || !isPlain(own, asked)) return usual()
      count += 1
      return count % oddOneOut === 0 ? refuse(cause) : usual()
    }
  }
  function resenting(): Breaker {
    return (asked, { usual, refuse }) =>
      asked !== null && isValid(asked) && asked.before.length === 1 && asked.before[0] === false
        ? refuse(cause)
        : usual()
  }
}

/** Each plain request gets the answer of the one before. */
const swapping = (scene: Scene): Breaker => {
  let last: Composed | null = null
  return async (asked, { usual }) => {
    const own = await usual()
    if (asked === null || !isValid(asked) || !isPlain(scene, asked) || isUnusual(scene, asked)) return own
    const answer = last ?? own
    last = own
    return answer
  }
}

/** Whether a success carries free text that was sent. */
const hasEcho = ({ contract, operation, siblings }: Scene): boolean => {
  const { root } = contextOf(contract, operation).body ?? {}
  return siblings.some(
    ({ subject }) =>
      subject.kind === 'answer' &&
      subject.aspect === 'echo' &&
      isSuccess(operation, Number(subject.status.replaceAll('X', '0'))) &&
      root !== undefined &&
      isFreeText(placeOf(root, step('', subject.name))),
  )
}

const isFreeText = (place: SchemaPlace | null): boolean =>
  place?.types?.includes('string') === true &&
  !place.keywords.some(({ keyword }) => ['format', 'pattern', 'enum', 'const'].includes(keyword))
