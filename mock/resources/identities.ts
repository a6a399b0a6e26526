import {
  type Json,
  type Operation,
  placesOf,
  rawNumber,
  type SchemaPlace,
  type Validate,
} from '../../spec/index.ts'
import { chance, codeFrom, digest, uuidFrom } from '../chance/hash.ts'
import type { Engine } from '../engine/engine.ts'
import type { OperationRules } from '../rules/list-rule.ts'
import { constraintsOf } from '../values/likely/likely-number.ts'
import { textOfPattern } from '../values/pattern-text.ts'

/** The names of made-up resources. */
export type Identities = {
  /** The name of the resource at an index, valid in the list and in the path of what reads it; undefined: none could be made. */
  readonly at: (seed: string, index: number) => Json | undefined
  /** How many there are. */
  readonly most: number
}

/** Where all resources count from 1; those below others count from a number of their parent's own. */
export const mainSeed = ''

export const createIdentities = (
  engine: Engine,
  { contract, resource, identityPlace }: OperationRules,
): Identities => {
  const read = resource?.read ?? null
  const places = [
    ...(read === null ? [] : parameterPlaces(engine, read)),
    ...(identityPlace === null ? [] : [identityPlace]),
  ]
  if (places.length === 0) return { at: () => undefined, most: Number.POSITIVE_INFINITY }
  const judges = [
    ...(identityPlace === null ? [] : [contract.responses.schemas.validator(identityPlace.schemas[0] ?? '')]),
    ...(read === null ? [] : parameterJudges(engine, read)),
  ]
  const isValid = (value: Json): boolean => judges.every(judge => judge(value).length === 0)
  const listed = places.flatMap(at => (constraintsOf(at).keywords.enum ?? []) as readonly Json[])
  if (listed.length > 0) return { at: (_seed, index) => listed[index], most: listed.length }
  const byPattern = namesByPattern(places)
  const example = identityPlace === null ? undefined : engine.examples.at(identityPlace)[0]
  return {
    at: (seed, index) => {
      for (const candidate of candidates(places, example, seed, index))
        if (isValid(candidate)) return candidate
      return byPattern(`${seed}#${index}`).find(isValid)
    },
    most: Number.POSITIVE_INFINITY,
  }
}

/** So long are names whose patterns leave it open. */
const usualLength = 10

/** Texts to try for names that have a pattern, those of the usual length first. */
const namesByPattern = (places: readonly SchemaPlace[]): ((seed: string) => readonly string[]) => {
  const patterns = places.flatMap(place => constraintsOf(place).keywords.pattern ?? []).map(String)
  // What is seen ahead or behind is left out: of what is made, only that which is valid counts.
  const readable = patterns.map(pattern => pattern.replace(/\(\?<?[=!][^()]*\)/g, ''))
  const least = limit(places, 'minLength', 0)
  const most = limit(places, 'maxLength', 100)
  const lengths = new Set([Math.min(most, Math.max(least, usualLength)), least, Math.floor(most / 2), 2, 0])
  return seed =>
    readable.flatMap(pattern =>
      [...lengths].flatMap(length => textOfPattern(pattern, chance(seed), length) ?? []),
    )
}

const limit = (places: readonly SchemaPlace[], keyword: string, otherwise: number): number => {
  const found = places
    .map(place => constraintsOf(place).keywords[keyword])
    .find(value => typeof value === 'number')
  return (found as number | undefined) ?? otherwise
}

const lastParameter = ({ path, parameters }: Operation) => {
  const name = path.slice(path.lastIndexOf('{') + 1, -1)
  return parameters.find(parameter => parameter.in === 'path' && parameter.name === name) ?? null
}

const parameterPlaces = ({ contract }: Engine, read: Operation): readonly SchemaPlace[] => {
  const schema = lastParameter(read)?.schema ?? null
  return schema === null ? [] : [placesOf(contract.requests.document, schema)]
}

const parameterJudges = ({ contract }: Engine, read: Operation): readonly Validate[] => {
  const schema = lastParameter(read)?.schema ?? null
  // A parameter that may be a number or a text is read as the number.
  return schema === null
    ? []
    : [
        value =>
          typeof value === 'string' && isText(contract.requests.document, schema) === false
            ? []
            : contract.requests.schemas.validator(schema)(value),
      ]
}

const isText = (document: Engine['contract']['document'], schema: string): boolean =>
  placesOf(document, schema).readAs?.includes('string') !== false

function* candidates(
  places: readonly SchemaPlace[],
  example: Json | undefined,
  seed: string,
  index: number,
): Generator<Json> {
  const at = `${seed}#${index}`
  const isNumber = places.some(
    ({ readAs }) => readAs?.some(type => type === 'integer' || type === 'number') === true,
  )
  const limits = places.map(place => constraintsOf(place).keywords)
  const least = Math.max(
    1,
    ...limits.map(({ minimum, exclusiveMinimum }) => Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1)),
  )
  const first = seed === mainSeed ? least : least + (chance(seed) % 900_000)
  if (isNumber) {
    yield rawNumber(String(first + index))
    yield rawNumber(String(least + index))
    yield rawNumber(String(Number(limits[0]?.minimum ?? 0) + index))
  }
  if (typeof example === 'string') {
    const [, head = '', digits] = /^(.*?)(\d{1,9})$/.exec(example) ?? []
    if (digits !== undefined)
      yield head +
        String(Number(digits) + (seed === mainSeed ? 1 : 1 + (chance(seed) % 90_000)) + index).padStart(
          digits.length,
          '0',
        )
  }
  if (limits.some(({ format }) => format === 'uuid')) yield uuidFrom(digest(at))
  const prefix = typeof example === 'string' ? (/^([a-z]{1,6}[_-])/i.exec(example)?.[1] ?? '') : ''
  for (const length of [10, 8, 6, 4, 12, 20, 3, 2]) {
    yield prefix + codeFrom(at, length)
    yield String(chance(at)).padStart(20, '7').slice(-length)
    yield codeFrom(at, length).replace(/\d/g, digit => 'abcdefghij'[Number(digit)] as string)
    yield codeFrom(at, length).toUpperCase()
    yield codeFrom(at, length)
      .toUpperCase()
      .replace(/\d/g, digit => 'ABCDEFGHIJ'[Number(digit)] as string)
  }
  yield uuidFrom(digest(at))
  for (const length of [24, 32, 16]) yield digest(at).slice(0, length)
}
