import {
  asWritten,
  type Contract,
  distinct,
  isArray,
  isNumber,
  isObject,
  type Json,
  type KeywordUse,
  numberText,
  placesOf,
  plainValue,
  rawNumber,
  type SchemaPlace,
  setAt,
  step,
} from '../../spec/index.ts'
import { validValue } from './valid-value.ts'

type Documented = Pick<Contract, 'requests'>

/** Beyond this a string or list tests the limits of a server's requests, not those of the contract. */
const mostLength = 20_000

/**
 * Values that miss a keyword as narrowly as possible: the limit itself, one beyond it, one character or item too many. Off-by-one is the
 * commonest mistake of servers, and no random value shows it. Some may break another keyword as well: a judge has to say which do not.
 */
export const nearMisses = (
  contract: Documented,
  place: SchemaPlace,
  keyword: string,
  label: string,
): readonly Json[] => {
  const use = place.keywords.find(each => each.keyword === keyword)
  if (use === undefined) return []
  const constraint = use.value
  const plain = validValue(contract, place, place.children[0]?.pattern ?? null, label)
  switch (keyword) {
    case 'minimum':
      return beyond(contract, place, use, -1)
    case 'maximum':
      return beyond(contract, place, use, 1)
    case 'exclusiveMinimum':
      return [limitOf(contract, use), ...beyond(contract, place, use, -1)]
    case 'exclusiveMaximum':
      return [limitOf(contract, use), ...beyond(contract, place, use, 1)]
    case 'multipleOf':
      return multiples(place, Number(constraint))
    case 'minLength':
      return typeof plain === 'string' ? shorter(plain, Number(constraint)) : []
    case 'maxLength':
      return typeof plain === 'string' ? longer(plain, Number(constraint)) : []
    case 'pattern':
      // A pattern that is not anchored, or anchored by line, takes these.
      return typeof plain === 'string'
        ? [`${plain}\n`, `${plain}!`, `!${plain}`, `${plain}\nx`, plain.slice(0, -1)]
        : []
    case 'enum':
      return isArray(constraint as Json) ? neighbours(constraint as readonly Json[]) : []
    case 'const':
      return neighbours([constraint as Json])
    case 'minItems':
      return isArray(plain) && Number(constraint) > 0 ? [plain.slice(0, Number(constraint) - 1)] : []
    case 'maxItems':
      return Number(constraint) < mostLength ? [itemsOf(place, Number(constraint) + 1, label)] : []
    case 'minProperties':
      return isObject(plain)
        ? [Object.fromEntries(Object.entries(plain).slice(0, Number(constraint) - 1))]
        : []
    case 'maxProperties':
      return isObject(plain) && Number(constraint) < mostLength
        ? [fullObject(plain, Number(constraint) + 1)]
        : []
    case 'oneOf':
    case 'anyOf':
      return branchesOf(contract, use).flatMap(branch => missesOfBranch(contract, branch, label))
    default:
      return []
  }
}

const branchesOf = (
  { requests: { document } }: Documented,
  { value, pointer }: KeywordUse,
): readonly SchemaPlace[] =>
  isArray(value as Json)
    ? (value as readonly unknown[]).map((_, index) => placesOf(document, step(pointer, index)))
    : []

/** Values that nearly fit an alternative: without a property that it requires, or with one of its limits missed. */
const missesOfBranch = (contract: Documented, branch: SchemaPlace, label: string): readonly Json[] => {
  const valid = validValue(contract, branch, null, label)
  const own = bounds.flatMap(keyword => nearMisses(contract, branch, keyword, label))
  if (!isObject(valid)) return own
  return [
    ...branch.required.map(name => setAt(valid, step('', name), undefined) as Json),
    ...branch.children.flatMap(child =>
      bounds
        .flatMap(keyword => nearMisses(contract, child, keyword, label).slice(0, 1))
        .map(value => setAt(valid, child.pattern, value) as Json),
    ),
    ...own,
  ]
}

const bounds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'enum',
]

const numberOf = (value: number): Json => rawNumber(String(Number(value.toFixed(10))))

/** A limit as it is written. */
const limitOf = ({ requests }: Documented, use: KeywordUse): Json => {
  const written = asWritten(use, requests.exact) as Json
  return typeof written === 'number' ? numberOf(written) : written
}

/** The numbers next to a limit, on the far side of it. */
const beyond = (
  contract: Documented,
  { types, keywords }: SchemaPlace,
  use: KeywordUse,
  side: 1 | -1,
): readonly Json[] => {
  const limit = Number(use.value)
  if (!Number.isFinite(limit)) return []
  if (Math.abs(limit) >= 2 ** 53) {
    const written = limitOf(contract, use)
    const text = isNumber(written) ? numberText(written) : ''
    return /^-?\d+$/.test(text) ? [rawNumber(String(BigInt(text) + BigInt(side)))] : []
  }
  const step = Number(keywords.find(({ keyword }) => keyword === 'multipleOf')?.value ?? 1)
  const isReal = types?.includes('number') === true
  return [numberOf(limit + side * step), ...(isReal ? [numberOf(limit + side * 0.01)] : [])]
}

const multiples = ({ types }: SchemaPlace, factor: number): readonly Json[] => {
  const isReal = types?.includes('number') !== false
  return [factor + (isReal ? factor / 2 : 1), factor * 2 - (isReal ? factor / 10 : 1)].map(numberOf)
}

const shorter = (text: string, least: number): readonly Json[] =>
  least < 1 || least > mostLength
    ? []
    : [
        text.padEnd(least, 'a').slice(0, least - 1),
        // A server that counts UTF-16 units takes each of these for two characters.
        ...(least > 1 ? ['🌿'.repeat(least - 1)] : []),
      ]

const longer = (text: string, most: number): readonly Json[] =>
  most > mostLength
    ? []
    : [text.padEnd(most + 1, 'a').slice(0, most + 1), `${text.slice(0, most)}`.padEnd(most + 1, ' ')]

/** What is easily taken for a member of the list. */
const neighbours = (members: readonly Json[]): readonly Json[] => [
  ...members.flatMap((member): readonly Json[] => {
    if (typeof member === 'string')
      return [member.toUpperCase(), member.toLowerCase(), `${member} `, member.slice(0, -1), `${member}s`, '']
    return typeof member === 'number' ? [member + 1, member - 1].map(numberOf) : []
  }),
]

const itemsOf = (place: SchemaPlace, count: number, label: string): Json => {
  const item = place.children.find(({ pattern }) => pattern === `${place.pattern}/*`)
  const items = Array.from({ length: count }, (_, index) =>
    item === undefined ? `${label}${index}` : plainValue(item, null, `${label}${index}`),
  )
  return distinct(place, items)
}

const fullObject = (value: Readonly<Record<string, Json>>, count: number): Json => {
  const missing = Math.max(0, count - Object.keys(value).length)
  return {
    ...value,
    ...Object.fromEntries(Array.from({ length: missing }, (_, index) => [`x${index}`, 'x'])),
  }
}
