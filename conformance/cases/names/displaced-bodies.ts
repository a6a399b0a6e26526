import { isObject, type Json } from '../../../spec/index.ts'
import type { OperationModel } from '../operation-model.ts'
import { spellingsOf, wrappersOf } from './other-names.ts'

/** A valid body inside something else, and with all its properties under other names, by turns; none that is valid itself. */
export const displacedBodies = ({ operation, isValidBody }: OperationModel, body: Json): readonly Json[] => {
  if (!isObject(body)) return []
  const spelt = Object.entries(body).map(([name, value]) => [spellingsOf(name), value as Json] as const)
  const most = Math.max(0, ...spelt.map(([spellings]) => spellings.length))
  const respelled = Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      spelt.flatMap(([spellings, value]) => spellings.slice(index, index + 1).map(name => [name, value])),
    ),
  )
  const wrapped = wrappersOf(body, operation.path)
  return Array.from({ length: Math.max(wrapped.length, respelled.length) }, (_, index) => [
    ...wrapped.slice(index, index + 1),
    ...respelled.slice(index, index + 1),
  ])
    .flat()
    .filter(each => !isValidBody(each))
}
