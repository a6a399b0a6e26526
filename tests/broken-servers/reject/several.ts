import { isInt64, isObject, isText } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant } from '../store/sent.ts'

const row = rowsOf('reject')

type Checks = Readonly<Record<'id' | 'name' | 'tag', boolean>>

/** Whether each property of a body is right. */
const checksOf = (value: unknown): Checks => {
  const { id, name, tag } = isObject(value) ? value : {}
  return { id: isInt64(id), name: isText(name), tag: tag === undefined || isText(tag) }
}

/** The checks of the store, seen together: `take` accepts what each of them would reject. */
const taking = (
  take: (checks: Checks, value: Record<string, unknown>) => boolean,
): (() => Partial<Parts>) => {
  let isTaken = false
  return {
    parts: () => ({
      body: (value: unknown) => {
        isTaken = isObject(value) && Object.keys(value).length > 0 && take(checksOf(value), value)
        return isObject(value)
      },
      id: (value: unknown) => isTaken || isInt64(value),
      name: (value: unknown) => isTaken || isText(value),
      tag: (value: unknown) => isTaken || value === undefined || isText(value),
    }),
  }.parts
}

const several = (
  name: string,
  about: string,
  take: (checks: Checks, value: Record<string, unknown>) => boolean,
  shown: Readonly<Record<string, unknown>>,
): BrokenServer => row(name, about, /several-violations/, taking(take), { witness: inTurn(plant(shown)) })

const wrongOf = (checks: Checks): number => Object.values(checks).filter(isRight => !isRight).length

/** Stores that check each property, and still take bodies in which two of them are wrong. */
export const severalServers: readonly BrokenServer[] = [
  several(
    'takes-two-wrong-properties',
    'Two wrong properties are accepted.',
    checks => wrongOf(checks) === 2,
    {
      id: 'a',
      name: 5,
    },
  ),
  several(
    'takes-what-is-all-wrong',
    'Two wrong properties or more are accepted.',
    checks => wrongOf(checks) > 1,
    {
      id: true,
      name: false,
    },
  ),
  several(
    'takes-wrong-id-beside-wrong-name',
    'A wrong name makes the store forget a wrong id.',
    ({ id, name }) => !id && !name,
    { id: null, name: null },
  ),
  several(
    'takes-wrong-id-beside-wrong-tag',
    'A wrong tag makes the store forget a wrong id.',
    ({ id, tag, name }) => !id && !tag && name,
    { id: 'a', tag: true },
  ),
  several(
    'takes-wrong-name-beside-wrong-tag',
    'A wrong tag makes the store forget a wrong name.',
    ({ name, tag, id }) => !name && !tag && id,
    { name: 5, tag: 5 },
  ),
  several(
    'takes-two-nulls',
    'A body with two nulls is accepted.',
    (_, value) => Object.values(value).filter(item => item === null).length >= 2,
    { id: null, name: null },
  ),
  several(
    'takes-missing-id-beside-wrong-name',
    'Without an id the name is not checked, and the id neither.',
    ({ name }, value) => value.id === undefined && !name,
    { id: undefined, name: true },
  ),
  several(
    'takes-missing-name-beside-wrong-tag',
    'Without a name nothing is checked if the tag is wrong.',
    ({ tag }, value) => value.name === undefined && !tag && isInt64(value.id),
    { name: undefined, tag: 5 },
  ),
]
