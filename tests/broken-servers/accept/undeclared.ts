import { crash, type Fault, hang, hangUp, unprocessable, when, withJson, withText } from '../store/faults.ts'
import { decodeUtf8, isObject, parseJson } from '../store/json.ts'
import type { BrokenServer, Exchange, NewPlant, Parts, Witness } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { inTurn, raw } from '../store/sent.ts'

const row = rowsOf('accept')

type Member = readonly [name: string, value: unknown]

const declared = ['id', 'name', 'tag']

const bodyOf = ({ bytes }: Exchange): unknown => {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch {
    return undefined
  }
}

/** The undeclared properties of a body. */
const undeclared = (exchange: Exchange): readonly Member[] => {
  const value = bodyOf(exchange)
  return isObject(value) ? Object.entries(value).filter(([name]) => !declared.includes(name)) : []
}

/** A plant with these members, which come first or last. */
const withMembers = (members: string, isFirst = false) =>
  inTurn(
    raw(
      isFirst
        ? `{${members},"id":31,"name":"Monstera","tag":"indoor"}`
        : `{"id":31,"name":"Monstera","tag":"indoor",${members}}`,
    ),
  )

const answer = /^createPlant\/(response\/declared|stability\/)/

/** Fails on undeclared properties that match. `shown`: one of them, in JSON. */
const failing = (
  name: string,
  about: string,
  matches: (member: Member) => boolean,
  shown: string,
  fault: Fault = crash,
): BrokenServer =>
  row(
    name,
    about,
    answer,
    when((exchange, { cause }) => cause === 'none' && undeclared(exchange).some(matches), fault),
    { witness: withMembers(shown), ...(fault === hang ? hangs : {}) },
  )

const named =
  (matches: (name: string) => boolean) =>
  ([name]: Member): boolean =>
    matches(name)

const valued =
  (matches: (value: unknown) => boolean) =>
  ([, value]: Member): boolean =>
    matches(value)

const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

/** What comes back has been changed by properties that the contract does not have. */
const changing = (
  name: string,
  about: string,
  plant: (plant: NewPlant, exchange: Exchange) => Partial<Record<'name' | 'tag', unknown>>,
  shown: string | Witness,
  isFirst = false,
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/(response\/200|stability\/)/,
    {
      plant: ({ id, name, tag }, exchange) => ({
        name,
        ...(tag === undefined ? {} : { tag }),
        ...plant({ id, name, tag }, exchange),
      }),
    } satisfies Partial<Parts>,
    { level: 'SHOULD', witness: typeof shown === 'string' ? withMembers(shown, isFirst) : shown },
  )

const members = (exchange: Exchange): readonly Member[] => {
  const value = bodyOf(exchange)
  return isObject(value) ? Object.entries(value) : []
}

/** The last member whose name becomes `name` in some way. */
const lastAs = (exchange: Exchange, fold: (name: string) => string): Record<string, unknown> => {
  const found = members(exchange).findLast(
    ([name, value]) => fold(name) === 'name' && typeof value === 'string',
  )
  return found === undefined ? {} : { name: found[1] }
}

const found = (value: unknown, name: string): unknown => {
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const deeper = key === name ? inner : found(inner, name)
    if (typeof deeper === 'string') return deeper
  }
  return undefined
}

/** Stores that fail on a property that the contract does not have, for its name or for its value. */
export const undeclaredServers: readonly BrokenServer[] = [
  failing(
    'crashes-on-empty-names',
    'A property without a name gets a 500.',
    named(name => name === ''),
    '"":1',
  ),
  failing(
    'crashes-on-dollar-names',
    'A name that begins with a dollar sign gets a 500, as in a query of a database.',
    named(name => name.startsWith('$')),
    '"$set":{}',
  ),
  failing(
    'crashes-on-names-with-points',
    'A name with a point gets a 500.',
    named(name => name.includes('.')),
    '"a.b":1',
  ),
  failing(
    'crashes-without-has-own-property',
    'A body that hides hasOwnProperty gets a 500.',
    named(name => name === 'hasOwnProperty'),
    '"hasOwnProperty":1',
  ),
  failing(
    'hangs-up-on-proto',
    'A property __proto__ ends the connection.',
    named(name => name === '__proto__'),
    '"__proto__":null',
    hangUp,
  ),
  failing(
    'crashes-on-to-string',
    'A body that cannot be written as text gets a 500.',
    named(name => name === 'toString' || name === 'valueOf'),
    '"toString":"a"',
  ),
  failing(
    'crashes-on-to-json',
    'A body with a property toJSON gets a 500.',
    named(name => name === 'toJSON'),
    '"toJSON":"a"',
  ),
  failing(
    'crashes-on-constructor',
    'A body with a property constructor gets a 500.',
    named(name => name === 'constructor'),
    '"constructor":{"prototype":{}}',
  ),
  failing(
    'takes-length-for-a-list',
    'A body with a property length is taken for a list.',
    named(name => name === 'length'),
    '"length":5',
  ),
  failing(
    'rejects-accented-names',
    'A name with accents gets an undeclared 422.',
    named(name => /[\u00c0-\u024f]/.test(name)),
    '"größe":1',
    unprocessable,
  ),
  failing(
    'crashes-on-other-alphabets',
    'A name in Greek, Cyrillic or Chinese gets a 500.',
    named(name => /[\u0370-\u052f\u4e00-\u9fff]/.test(name)),
    '"имя":1',
  ),
  failing(
    'crashes-on-astral-names',
    'A name with a character beyond the first plane gets a 500.',
    named(name => /[\u{10000}-\u{10ffff}]/u.test(name)),
    '"🌱":1',
  ),
  failing(
    'crashes-on-nul-in-names',
    'A name with NUL gets a 500.',
    named(name => name.includes('\0')),
    '"a\\u0000b":1',
  ),
  failing(
    'hangs-up-on-control-characters-in-names',
    'A name with a line break ends the connection.',
    named(name => /[\r\n]/.test(name)),
    '"a\\nb":1',
    hangUp,
  ),
  failing(
    'crashes-on-long-names',
    'A name of more than 255 characters gets a 500.',
    named(name => name.length > 255),
    `"${'n'.repeat(300)}":1`,
  ),
  failing(
    'crashes-on-names-with-spaces',
    'A name with a space gets a 500.',
    named(name => name.trim().includes(' ')),
    '"a b":1',
  ),
  failing(
    'crashes-on-names-with-quotes',
    'A name with a quotation mark or backslash gets a 500.',
    named(name => /["'\\]/.test(name)),
    '"it\'s":1',
  ),
  failing(
    'crashes-on-names-with-brackets',
    'A name with a bracket gets a 500.',
    named(name => /[[\]]/.test(name)),
    '"a[0]":1',
  ),
  failing(
    'crashes-on-numeric-names',
    'A name of digits gets a 500.',
    named(name => /^\d+$/.test(name)),
    '"0":1',
  ),
  failing(
    'crashes-on-undeclared-null',
    'An undeclared null gets a 500.',
    valued(value => value === null),
    '"x":null',
  ),
  failing(
    'crashes-on-undeclared-huge-numbers',
    'An undeclared number beyond a double gets a 500.',
    valued(value => value === Number.POSITIVE_INFINITY || (typeof value === 'bigint' && value > 10n ** 300n)),
    '"x":1e999',
  ),
  failing(
    'hangs-on-undeclared-long-numbers',
    'An undeclared number of a hundred digits gets no response.',
    valued(value => typeof value === 'bigint' && value.toString().length > 90),
    `"x":${'9'.repeat(100)}`,
    hang,
  ),
  failing(
    'crashes-on-undeclared-depth',
    'An undeclared value of more than fifty levels gets a 500.',
    valued(value => depth(value) > 50),
    `"x":${'['.repeat(60)}${']'.repeat(60)}`,
  ),
  failing(
    'crashes-on-undeclared-objects',
    'An undeclared object in a list gets a 500.',
    valued(value => Array.isArray(value) && value.some(isObject)),
    '"x":[{}]',
  ),
  failing(
    'crashes-on-undeclared-nul',
    'NUL in an undeclared text gets a 500.',
    valued(value => typeof value === 'string' && value.includes('\0')),
    '"x":"a\\u0000"',
  ),
  failing(
    'crashes-on-undeclared-long-texts',
    'An undeclared text of more than 10,000 characters gets a 500.',
    valued(value => typeof value === 'string' && value.length > 10_000),
    `"x":"${'l'.repeat(20_000)}"`,
  ),
  row(
    'crashes-on-many-properties',
    'More than a hundred properties get a 500.',
    answer,
    when((exchange, { cause }) => cause === 'none' && undeclared(exchange).length > 100, crash),
    { witness: withMembers(Array.from({ length: 150 }, (_, index) => `"x${index}":1`).join()) },
  ),
  row(
    'rejects-odd-names-in-text',
    'A rejection of a name that is no identifier is plain text.',
    /^createPlant\/response\//,
    when(
      (exchange, { cause }) => cause === 'none' && undeclared(exchange).some(([name]) => !/^\w+$/.test(name)),
      response => withText(response, 400, 'unknown property'),
    ),
    { witness: withMembers('"a-b":1') },
  ),
  row(
    'lists-undeclared-properties',
    'The rejection of a property with a null has a list as its message.',
    /^createPlant\/response\//,
    when(
      (exchange, { cause }) => cause === 'none' && undeclared(exchange).some(([, value]) => value === null),
      response => withJson(response, 400, { error: 4, message: ['unknown property'] }),
    ),
    { witness: withMembers('"a":null') },
  ),
  changing(
    'takes-names-in-other-case',
    'A property NAME overwrites the name.',
    (_, exchange) => lastAs(exchange, name => name.toLowerCase()),
    '"NAME":"another"',
  ),
  changing(
    'takes-names-with-spaces',
    'A property whose name has spaces around it overwrites the name.',
    (_, exchange) => lastAs(exchange, name => name.trim()),
    '" name ":"another"',
  ),
  changing(
    'takes-names-without-separators',
    'A property _name overwrites the name.',
    (_, exchange) => lastAs(exchange, name => name.replace(/[_-]/g, '')),
    '"_name":"another"',
  ),
  changing(
    'takes-nested-names',
    'The name of an object in the body is taken for that of the plant.',
    (_, exchange) => {
      const inner = members(exchange).findLast(([name, value]) => !declared.includes(name) && isObject(value))
      const name = found(inner?.[1], 'name')
      return name === undefined ? {} : { name }
    },
    '"x":{"name":"another"}',
  ),
  changing(
    'finds-the-first-name',
    'The first name in the text is taken, wherever it stands.',
    (_, exchange) => {
      const name = found(bodyOf(exchange), 'name')
      return name === undefined ? {} : { name }
    },
    '"x":{"name":"another"}',
    true,
  ),
  changing(
    'merges-prototypes',
    'What is below __proto__ becomes part of the plant.',
    ({ tag }, exchange) => {
      const [, inner] = members(exchange).find(([name]) => name === '__proto__') ?? []
      return isObject(inner) && tag === undefined ? { tag: found(inner, 'tag') ?? 'inherited' } : {}
    },
    inTurn(raw('{"id":31,"name":"Monstera","__proto__":{"tag":"another"}}')),
  ),
]
