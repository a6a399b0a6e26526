import { type Identity, type Json, rawNumber } from '../spec/index.ts'
import { deriveSeed } from './seed.ts'

/** Fresh values of an identity (see `identityOf`): each is given out once. They lie in one range that follows from the seed. */
export type Identities = {
  readonly name: string
  readonly from: string
  readonly to: string
  /** The value with this number in the range. */
  readonly at: (index: number) => Json
  /** The next value behind all that were planned. */
  readonly spare: () => Json
  /** The text of a value, for integers written otherwise. */
  readonly text: (index: number) => string
}

const rangeSize = 1_000_000

/** `start`: which of the ranges of this seed; a run moves to the next where the first is taken. `planned`: how many `at` will give. */
export const createIdentities = (
  identity: Identity,
  seed: number,
  start: number,
  planned: number,
): Identities => {
  const offset = deriveSeed(seed, 'identity', identity.name, start)
  const formats = identity.place.keywords
    .filter(({ keyword }) => keyword === 'format')
    .map(({ value }) => String(value))
  const text = textOf(identity, formats, offset)
  const isText = identity.place.types?.includes('string') === true
  const at = (index: number): Json => (isText ? text(index) : rawNumber(text(index)))
  let spares = planned
  return { name: identity.name, from: text(0), to: text(rangeSize - 1), at, text, spare: () => at(spares++) }
}

const textOf = (
  identity: Identity,
  formats: readonly string[],
  offset: number,
): ((index: number) => string) => {
  if (identity.place.types?.includes('string'))
    return formats.includes('uuid')
      ? index => uuid(offset, index)
      : index => `plantstore-${offset.toString(36)}-${index}`
  // Integers stay where every server can hold them: below 2^31 for int32, below 2^53 for all others.
  const base = formats.includes('int32')
    ? 1_000_000 + (offset % 2000) * rangeSize
    : 1_000_000_000_000 + (offset % 2_000_000_000) * rangeSize
  return index => String(base + index)
}

const uuid = (offset: number, index: number): string =>
  `${offset.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
