import {
  asNode,
  type Contract,
  type DocumentNode,
  type Json,
  jsonCopy,
  loadPrism,
  nearest,
  type Pointer,
  type Prism,
  type SchemaPlace,
  step,
  valueAt,
  whereText,
} from '../../spec/index.ts'
import { chance } from '../chance/hash.ts'
import { createRandomizer } from '../chance/randomizer.ts'
import { OptionError } from '../errors.ts'

/**
 * Makes a value by a method of faker, such as `person.fullName`; equal seeds give equal values. Undefined: there is no faker, or it
 * has no such method.
 */
export type Fake = (method: string, seed: number, args?: readonly unknown[]) => Json | undefined

/** The same for texts; null: there is none. */
export type FakeText = (method: string, seed: number) => string | null

/** What a function of the user's own knows of the value that it gives. */
export type OwnValueRequest = {
  /** What the mock made up. */
  readonly value: Json
  /** A number that follows from the request and from the place in the response: equal seeds should give equal values. */
  readonly seed: number
  /** The number of the value in its list; null: it is in none. */
  readonly index: number | null
  readonly fake: Fake
}

/**
 * Values of the user's own: functions by the name of a schema (`Product`) or of one of its properties (`Product.sku`), and an instance
 * of `@faker-js/faker`, of any locale, in the place of the mock's English one.
 */
export type CustomValues = {
  readonly [name: string]: ((request: OwnValueRequest) => unknown) | object | undefined
  readonly faker?: object | undefined
}

/** What values are made by, besides their schemas. */
export type ValueProviders = {
  readonly fake: Fake
  readonly text: FakeText
  /** The value that the user has for a place, else that which its `x-faker` gives, else the given one. */
  readonly own: (place: SchemaPlace, value: Json, seed: string, index: number | null) => Json
  readonly faked: (place: SchemaPlace, value: Json, seed: string) => Json
}

type Faker = Prism['faker']

const loadFaker = (): Promise<Faker | undefined> =>
  loadPrism().then(
    prism => prism?.faker,
    () => undefined,
  )

/** A generator of its own: that of Prism's samples is seeded for each of them. */
const fakeOf = (shared: Faker | undefined): Fake => {
  if (shared === undefined) return () => undefined
  const faker = new (shared.constructor as new (options: object) => Faker)({
    locale: shared.rawDefinitions,
    randomizer: createRandomizer(),
  })
  const groups = faker as unknown as Readonly<
    Record<string, Readonly<Record<string, ((...args: readonly unknown[]) => unknown) | undefined>>>
  >
  return (method, seed, args = []) => {
    const [group = '', name = ''] = method.split('.')
    if (!Object.hasOwn(groups, group) || typeof groups[group]?.[name] !== 'function') return undefined
    faker.seed(seed)
    const made = groups[group][name](...args)
    return typeof made === 'string' ? made : jsonCopy(made)
  }
}

let english: Promise<Fake> | null = null

/** Loads what makes values, when it is first wanted. `warn` is told of values that their schemas do not allow, once for each place. */
export const createMakers = (
  contract: Contract,
  values: CustomValues,
  warn: (message: string) => void,
): (() => Promise<ValueProviders>) => {
  let made: Promise<ValueProviders> | null = null
  return () => {
    if (values.faker === undefined) english ??= loadFaker().then(fakeOf)
    made ??= (
      english !== null && values.faker === undefined
        ? english
        : Promise.resolve(fakeOf(values.faker as Faker))
    ).then(fake => makersOf(contract, values, warn, fake))
    return made
  }
}

const makersOf = (
  contract: Contract,
  values: CustomValues,
  warn: (message: string) => void,
  fake: Fake,
): ValueProviders => {
  const told = new Set<string>()
  const tell = (message: string): void => {
    if (!told.has(message)) warn(message)
    told.add(message)
  }
  const checked = (place: SchemaPlace, made: unknown, usual: Json, name: string): Json => {
    const value = jsonCopy(made)
    if (value === undefined) return usual
    const [wrong] = contract.responses.schemas.validator(place.schemas[0] ?? '')(value)
    if (wrong === undefined) return value
    tell(
      `${name} gives ${JSON.stringify(value)?.slice(0, 100)}: ${wrong.at || 'it'} ${wrong.message}; the mock does not use it`,
    )
    return usual
  }
  const own = ownNames(contract.responses.document, values)
  return {
    fake,
    text: (method, seed) => {
      const made = fake(method, seed)
      return typeof made === 'string' ? made : null
    },
    own: (place, value, seed, index) => {
      if (own.size === 0) return value
      for (const pointer of place.schemas) {
        const name = own.get(pointer)
        const make = name === undefined ? undefined : values[name]
        if (name === undefined || typeof make !== 'function') continue
        try {
          const made = (make as (request: OwnValueRequest) => unknown)({
            value,
            seed: chance(seed),
            index,
            fake,
          })
          return checked(place, made, value, `the value of ${name}`)
        } catch (error) {
          tell(`the value of ${name} failed: ${error instanceof Error ? error.message : error}`)
        }
      }
      return value
    },
    faked: (place, value, seed) => {
      const use = place.keywords.find(({ keyword }) => keyword === 'x-faker')
      const [method, args] = use === undefined ? [] : callOf(use.value)
      if (use === undefined || method === undefined) return value
      const made = fake(method, chance(seed), args)
      const name = `x-faker at ${whereText(contract.place(use.pointer))}`
      if (made !== undefined) return checked(place, made, value, name)
      if (fake('lorem.word', 0) !== undefined)
        tell(`${name}: faker has no ${method}; the mock does not use it`)
      return value
    },
  }
}

/** `person.fullName`, or `{ "number.int": { "max": 9 } }` with one argument or a list of them. */
const callOf = (value: unknown): [method?: string, args?: readonly unknown[]] => {
  if (typeof value === 'string') return [value, []]
  const [entry] = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return entry === undefined ? [] : [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]]
}

/** The names of the user's functions by the pointers of their schemas. */
const ownNames = (document: DocumentNode, values: CustomValues): ReadonlyMap<Pointer, string> =>
  new Map(
    Object.keys(values).flatMap(name => pointersOf(document, name).map(pointer => [pointer, name] as const)),
  )

/** The schemas that a name of the user's own is for: `Product`, or `Product.sku`, also in an `allOf`. */
const pointersOf = (document: DocumentNode, name: string): readonly Pointer[] => {
  const [first = '', property] = name.split('.')
  const schema = step('/components/schemas', first)
  const { allOf } = asNode(valueAt(document, schema))
  const members = Array.isArray(allOf)
    ? [...allOf.keys()].map(index => step(step(schema, 'allOf'), index))
    : []
  const all =
    property === undefined ? [schema] : [schema, ...members].map(at => step(step(at, 'properties'), property))
  return all.filter(at => valueAt(document, at) !== undefined)
}

/** Those of the user's functions that answer an operation as a whole. Throws OptionError for what is about nothing. */
export const ownAnswers = (
  { faker: _, ...values }: CustomValues,
  contracts: readonly Contract[],
): Readonly<Record<string, () => unknown>> => {
  const answers: Record<string, () => unknown> = {}
  for (const [name, make] of Object.entries(values)) {
    if (typeof make !== 'function')
      throw new OptionError(`the value of ${name} must be a function: write ({ value, seed }) => …`)
    if (contracts.some(({ responses }) => pointersOf(responses.document, name).length > 0)) continue
    const ids = contracts.flatMap(({ operations }) => operations.map(({ id }) => id))
    const schemas = contracts.flatMap(({ document }) =>
      Object.keys(asNode(asNode(document.components).schemas)),
    )
    const [near] = nearest(name, [...ids, ...schemas])
    if (!ids.includes(name))
      throw new OptionError(
        `no document has a schema, a property of one or an operation ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      )
    answers[name] = make as () => unknown
  }
  return answers
}
