import { isObject, type Json, placeOf, rawNumber, step } from '../../../spec/index.ts'
import { lazily, type OperationModel } from '../operation-model.ts'
import { validValue } from '../valid-value.ts'
import { labelOf } from '../with-optional.ts'
import { spellingsOf, wrappersOf } from './other-names.ts'

/** Members of a body that its schema does not have. `isFirst`: before those that it has. */
type Odd = { readonly members: Readonly<Record<string, Json>>; readonly isFirst?: boolean }

/**
 * A valid body with undeclared properties, many in one: whoever ignores them ignores all, and a failure is made smaller until one is left. A
 * body has those of one kind, as a server may reject each kind for itself.
 */
export const withOddProperties = (
  model: OperationModel,
  body: Json | undefined,
  index: number,
  number: number,
): Json | null => {
  if (!isObject(body)) return null
  const odd = index < relatives ? relativesOf(model, body, number)[index] : fixed()[index - relatives]
  if (odd === undefined) return null
  const others = Object.fromEntries(
    Object.entries({ odd: 'x', ...odd.members }).filter(([name]) => !isDeclared(model, name)),
  )
  return odd.isFirst === true ? { ...others, ...body } : { ...body, ...others }
}

const relatives = 5

/** Made once, if they are needed: they have a hundred kilobytes. */
const fixed = lazily((): readonly Odd[] => [...oddNames(), ...oddValues()])

/** How many kinds of bodies there are. */
export const oddKinds = (): number => relatives + fixed().length

const isDeclared = ({ body }: OperationModel, name: string): boolean =>
  body?.root.properties.includes(name) === true

/** What looks like the declared properties, with other values: under other names, and further inside, before and after the right ones. */
const relativesOf = (
  { body, contract, operation }: OperationModel,
  sent: Readonly<Record<string, Json>>,
  number: number,
): readonly Odd[] => {
  if (body === null) return []
  const { root } = body
  const label = labelOf(number, 'optional')
  const others = root.properties.flatMap(name => {
    const place = placeOf(root, step('', name))
    return place === null ? [] : [[name, validValue(contract, place, null, `other${label}`)] as const]
  })
  const whole = Object.fromEntries(others)
  const respelled = Object.fromEntries(
    others.flatMap(([name, value]) => spellingsOf(name).map(spelling => [spelling, value])),
  )
  const wrapped = Object.assign({}, ...wrappersOf(whole, operation.path).toReversed())
  const missing = Object.fromEntries(others.filter(([name]) => !Object.hasOwn(sent, name)))
  return [
    { members: respelled },
    { members: wrapped },
    { members: { x: whole, ...wrapped }, isFirst: true },
    { members: respelled, isFirst: true },
    { members: { ['__proto__']: whole, constructor: { prototype: missing } } },
  ]
}

const types: readonly Json[] = ['x', 5, null, true, [], {}, { a: 1 }, ['x']]

/** Each name with a value of another type; `turn`: with which they begin. */
const named = (names: readonly string[], turn = 0): Odd => ({
  members: Object.fromEntries(
    names.map((name, index) => [name, types[(index + turn) % types.length] as Json]),
  ),
})

const allNamed = (names: readonly string[], value: Json): Odd => ({
  members: Object.fromEntries(names.map(name => [name, value])),
})

/** What objects have in several languages, so that a body with such a property hides it. */
const inherited = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'length'],
  ...[
    'isPrototypeOf',
    'toLocaleString',
    '__defineGetter__',
    'then',
    'inspect',
    'size',
    'keys',
    'get',
    'call',
  ],
  ...['__class__', '__dict__', '__type', '@type', '$type', 'class', 'getClass', 'type', 'self', 'this'],
]

const signs = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(index + 0x20)).filter(
  sign => !/[a-z\d]/i.test(sign),
)

const controls = Array.from({ length: 0x20 }, (_, index) => String.fromCharCode(index))

const oddNames = (): readonly Odd[] => [
  allNamed(inherited, 'x'),
  { members: { '': 1 } },
  named([
    ...signs.flatMap(sign => [`${sign}a`, `a${sign}b`]),
    'a[0]',
    'a[b]',
    '{a}',
    '$set',
    '$where',
    'a..b',
  ]),
  named([
    'größe',
    'é',
    'имя',
    'όνομα',
    '名',
    'اسم',
    '🌱',
    'e\u0301',
    'ﬁ',
    'ß',
    'İ',
    'ａ',
    '\u200b',
    '\u202ea',
  ]),
  named([...controls, '\u007f', '\u0085', '\u2028'].map(sign => `a${sign}b`)),
  allNamed(inherited, 5),
  named([64, 65, 129, 256, 300, 1025, 5000].map(length => 'n'.repeat(length))),
  named(['0', '1', '-1', '1.5', '1e3', '007', '4294967295', '9007199254740993']),
  allNamed(inherited, null),
  allNamed(
    Array.from({ length: 1000 }, (_, index) => `x${index}`),
    1,
  ),
  allNamed(inherited, { a: 1 }),
  named(signs.flatMap(sign => [sign, `a${sign}`])),
]

const nested = (depth: number, wrap: (value: Json) => Json): Json =>
  Array.from({ length: depth }).reduce<Json>(wrap, 1)

const numbers = [
  ...['1e999', '-1e999', '1e-999', '9'.repeat(100), `-${'9'.repeat(400)}`, `0.${'3'.repeat(400)}`, '1e308'],
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '4294967296',
    '-0',
    '1E400',
    '0e0',
  ],
]

const listed = (values: readonly Json[]): Odd => ({
  members: Object.fromEntries(values.map((value, index) => [`x${index}`, value])),
})

const oddValues = (): readonly Odd[] => [
  listed([
    null,
    true,
    false,
    0,
    -1,
    0.5,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: null },
    { '': 0 },
    [1, 'x'],
  ]),
  listed(numbers.map(rawNumber)),
  listed([
    '\u0000',
    'a\u0000b',
    '\u0001',
    '\u007f',
    '\ud83c\udf31',
    'é',
    '\ufeff',
    '\u2028',
    '\uffff',
    "'",
    '"',
    '\\',
  ]),
  listed([nested(100, value => [value]), nested(100, value => ({ a: value }))]),
  listed(['x'.repeat(20_000), '植'.repeat(5000)]),
  listed([nested(1000, value => [value]), nested(1000, value => ({ a: value }))]),
]
