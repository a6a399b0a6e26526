import { isArray, type Json, type Obligation } from '../../spec/index.ts'
import type { ValidKind } from '../cases/case.ts'
import { isDate } from '../cases/with-optional.ts'
import { nothing, type ValuesByPlace } from '../pool/pool.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { wasSentAndAccepted } from './accepted.ts'

/** Requests that finding out what is needed may take. */
const mostDropped = 24

/**
 * Keeps those values for the operation without which its requests are rejected: nothing is left of a requirement that is tested with one
 * value alone. A text that the server takes only once is kept as one that each request fills anew. If plain requests are rejected with all of
 * them now, none is kept.
 */
export const keepNeeded = async (
  { pool }: RunSession,
  operation: OperationSession,
  valid: Obligation,
  kind: ValidKind,
  values: ValuesByPlace,
): Promise<ValuesByPlace> => {
  const { model, sender } = operation
  const { id } = model.operation
  let left = mostDropped
  const isEnough = async (some: ValuesByPlace): Promise<boolean> => {
    pool.give(id, some)
    left -= 1
    return wasSentAndAccepted(operation, await sender.send(sender.validCase(valid, kind)))
  }
  /** What the server takes once more: these values, or fresh texts in their places. Null: neither. */
  const takenAgain = async (): Promise<ValuesByPlace | null> => {
    for (const some of [values, ...withFreshTexts(values)]) if (await isEnough(some)) return some
    return null
  }
  let needed = (await takenAgain()) ?? (kind === 'plain' ? nothing : values)
  for (
    let size = Math.ceil(needed.size / 2);
    size > 0 && needed.size > 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let at = 0; at < needed.size && needed.size > 1 && left > 0; ) {
      const rest = new Map([...needed].filter((_, index) => index < at || index >= at + size))
      if (rest.size > 0 && (await isEnough(rest))) needed = rest
      else at += size
    }
  pool.give(id, needed)
  return needed
}

/** Texts that are tried as ones that the server takes only once. */
const mostFresh = 4

/** The same with a text of its own for each request: at all places of the body, then at one of them. */
const withFreshTexts = (values: ValuesByPlace): readonly ValuesByPlace[] => {
  const texts = [...values].filter(
    ([place, { value, isForm }]) => place.startsWith('/') && isForm !== true && isFreeText(value),
  )
  const freshAt = (places: readonly string[]): ValuesByPlace =>
    new Map(
      [...values].map(([place, known]) => [
        place,
        places.includes(place)
          ? { ...known, value: freshForm(known.value), isForm: true, isName: false }
          : known,
      ]),
    )
  const single = texts.slice(0, mostFresh).map(([place]) => [place])
  return [...(texts.length > 1 ? [texts.map(([place]) => place)] : []), ...single].map(freshAt)
}

/** Also a list of them, as for what creates several things at once. */
const isFreeText = (value: Json): boolean =>
  isArray(value) ? value.length > 0 && value.every(isFreeText) : typeof value === 'string' && !isDate(value)

/** Each item of a list has a text of its own as well. */
const freshForm = (value: Json): Json =>
  isArray(value) ? value.map((_, index) => (index === 0 ? '{}' : `{}${index}`)) : '{}'
