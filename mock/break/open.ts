import {
  clauseOf,
  duplicateNames,
  isObject,
  isRefusal,
  readJson,
  refusals,
  type Subject,
} from '../../spec/index.ts'
import { identityNameOf } from '../identity-name.ts'
import { type Asked, type Breaker, isValid, type Scene, turning, type Unbreakable } from './breaker.ts'

/** Answers an open question the other way. */
export const deciding = async (
  scene: Scene,
  { name }: Extract<Subject, { kind: 'open' }>,
): Promise<Breaker | Unbreakable> => {
  const { contract, operation, desk } = scene
  const cause = operation.body === null ? 'parameter' : 'body'
  const refusingWhere = (hit: (asked: Asked) => boolean): Breaker | Unbreakable =>
    refusals(operation, cause).length === 0
      ? { because: 'no failure is declared: there is no other answer' }
      : turning(asked => isValid(asked) && hit(asked), cause)
  switch (name) {
    case 'credentials': {
      const told = (code: number) =>
        desk.refuse(operation, 'credentials', { code, messages: ['credentials are wrong'] })
      const [one, other] = await Promise.all([told(1), told(99)])
      const isOnly = refusals(operation, 'credentials').length < 2
      if (isOnly && Buffer.from(one.body).equals(other.body))
        return { because: 'one failure is declared, and it has no code: all look alike' }
      return async (asked, { usual }) => {
        const answer = await usual()
        if (asked?.breaches.some(({ cause: own }) => own === 'credentials') !== true) return answer
        const status = [401, 403, 400].find(
          other => other !== answer.status && isRefusal(operation, 'credentials', other, 'declared'),
        )
        const clause = status === undefined ? null : clauseOf(operation, status)
        return status === undefined || clause === null ? told(99) : desk.compose(operation, clause, status)
      }
    }
    case 'duplicate-id': {
      const seen = new Set<string>()
      const key = identityNameOf({ contract, operation })
      return refusingWhere(({ body }) => {
        const identity = key === undefined || !isObject(body) ? '' : JSON.stringify(body[key])
        const again = seen.has(identity)
        seen.add(identity)
        return again
      })
    }
    case 'undeclared-property':
      return refusingWhere(
        ({ body, request }) =>
          // Fields of a form that are not declared are not read.
          /(?:^|&)undeclared=/.test(Buffer.from(request.body ?? []).toString()) ||
          (isObject(body) && Object.hasOwn(body, 'undeclared') && !hasSurrogate(body.undeclared)),
      )
    case 'duplicate-names':
      return refusingWhere(
        ({ request }) =>
          duplicateNames(
            Buffer.from(request.body ?? [])
              .toString()
              .replace(/^\ufeff/, ''),
          ).length > 0,
      )
    case 'byte-order-mark':
      return refusingWhere(({ request }) => {
        const reading = readJson(request.body ?? new Uint8Array())
        return reading.ok && reading.bom
      })
    case 'lone-surrogate':
      return refusingWhere(({ body }) => isObject(body) && Object.values(body).some(hasSurrogate))
    case 'large-body':
      return refusingWhere(({ request }) => (request.body?.length ?? 0) > 200_000)
    case 'other-method':
    case 'other-path': {
      const own = name === 'other-method' ? 405 : 404
      return async (asked, { usual }) => {
        const answer = await usual()
        return asked === null && answer.status === own ? { ...answer, status: 501 } : answer
      }
    }
  }
}

const hasSurrogate = (value: unknown): boolean => typeof value === 'string' && !value.isWellFormed()
