/** How responses fit their requests follows from the names and schemas of a document; a user may say otherwise. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOff, rulesOf } from '../../../mock/rules/infer.ts'
import type { OperationRules, RuleSettings } from '../../../mock/rules/list-rule.ts'
import { type DeclaredResponse, loadContract } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: object) => ({ type: 'array', items })
const shown = (schema: object, more: object = {}) => ({
  description: 'ok',
  content: { 'application/json': { schema } },
  ...more,
})
const parameter = (place: string) => (name: string) => ({
  name,
  in: place,
  required: place === 'path',
  schema: text,
})

const thing = object({
  id: text,
  name: text,
  colour: { enum: ['red', 'blue'] },
  fixed: { const: 'yes' },
  active: { type: 'boolean' },
  tags: list({ enum: ['a', 'b'] }),
  notes: list(text),
})

/** The rules of a path's operation, which is a GET unless `more` has another one. */
const rulesFor = async (
  path: string,
  response: object,
  query: readonly string[] = [],
  settings: RuleSettings = {},
  more: { readonly paths?: object; readonly id?: string } = {},
): Promise<OperationRules> => {
  const inPath = [...path.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => parameter('path')(name))
  const get = {
    operationId: 'getThem',
    parameters: [...inPath, ...query.map(parameter('query'))],
    responses: { 200: response },
  }
  const document = documentWith({ ...more.paths, [path]: { get } })
  const contract = await loadContract({ from: writeDocument('rules.json', document) })
  const operation = operationOf(contract, more.id ?? 'getThem')
  return rulesOf(contract, operation, operation.responses[0] as DeclaredResponse, settings)
}

const queryOf = async (query: readonly string[], settings: RuleSettings = {}): Promise<readonly string[]> =>
  (await rulesFor('/things', shown(list(thing)), query, settings)).query.map(rule =>
    rule.kind === 'filter' ? `${rule.parameter}: filter ${rule.property}` : `${rule.parameter}: ${rule.kind}`,
  )

describe('a parameter of a list', () => {
  test.each([
    ['limit, page', 'limit: size, page: page'],
    ['perPage, per_page', 'perPage: size'],
    ['offset, cursor', 'offset: offset, cursor: cursor'],
    ['sort', 'sort: sort'],
    // The second of `sort` and `order` is the direction, whichever comes first.
    ['sort, order', 'sort: sort, order: direction'],
    ['order, sort', 'order: direction, sort: sort'],
    ['order', 'order: sort'],
    ['sort, dir, direction', 'sort: sort, dir: direction'],
    ['colour, active, fixed', 'colour: filter colour, active: filter active, fixed: filter fixed'],
    ['Tags, COLOUR', 'Tags: filter tags, COLOUR: filter colour'],
    // Of these, a value that is made up would select nothing.
    ['name, notes', ''],
    ['unknown', ''],
  ])('%s', async (names, rules) => {
    expect((await queryOf(names.split(', '))).join(', ')).toBe(rules)
  })

  test.each<[object, string]>([
    [{ 'getThem.n': 'size' }, 'n: size'],
    [{ '*.n': 'page' }, 'n: page'],
    [{ 'getThem.n': 'filter:name' }, 'n: filter name'],
    [{ 'getThem.n': 'off' }, ''],
    // What is said of one operation or parameter goes before what is said of all.
    [{ 'getThem.n': 'size', '*.n': 'page' }, 'n: size'],
    [{ '*.n': 'page', 'getThem.*': 'off' }, 'n: page'],
    [{ 'getThem.*': 'off', '*.*': 'off' }, ''],
    [{ 'other.n': 'size' }, ''],
  ])('%j', async (settings, rules) => {
    expect((await queryOf(['n'], settings as RuleSettings)).join()).toBe(rules)
  })

  test('a filter that is named by the user may be any property, and is none without it', async () => {
    expect(await queryOf(['name'], { '*.name': 'filter' })).toEqual(['name: filter name'])
    expect(await queryOf(['n'], { '*.n': 'filter:gone' })).toEqual([])
  })

  test('each kind but filters is there at most once, and a setting of off leaves none', async () => {
    const names = ['limit', 'size', 'page', 'p', 'offset', 'skip', 'cursor', 'after', 'sort', 'order', 'dir']
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names), async query => {
        const rules = await queryOf(query)
        const kinds = rules.map(rule => rule.replace(/.*: /, ''))
        expect(new Set(kinds).size).toBe(kinds.length)
        expect(await queryOf(query, { '*.*': 'off' })).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

test.each<[RuleSettings, boolean]>([
  [{ '*.*': 'off' }, true],
  [{ 'getThem.*': 'off' }, true],
  [{ 'getThem.*': 'size', '*.*': 'off' }, false],
  [{ 'other.*': 'off' }, false],
  [{ 'getThem.n': 'off' }, false],
])('%j switches all rules off: %s', (settings, off) => {
  expect(isOff(settings, { id: 'getThem' } as OperationRules['operation'])).toBe(off)
})

describe('the list of a response', () => {
  test.each<[string, object, readonly string[] | null]>([
    ['/things', list(thing), []],
    ['/things', object({ items: list(thing) }), ['items']],
    ['/things', object({ things: list(thing), notes: list(text) }), ['things']],
    ['/things', object({ data: list(thing), things: list(thing) }), ['data']],
    ['/things', object({ data: object({ items: list(thing) }) }), ['data', 'items']],
    // One thing may have a list as well.
    ['/things/{id}', object({ id: text, tags: list(text) }), null],
    ['/status', object({ alarms: list(text), state: text }), null],
    ['/status', object({ alarms: list(text), total: { type: 'integer' } }), ['alarms']],
    ['/things', thing, null],
    ['/things', text, null],
  ])('of %s with %j', async (path, schema, expected) => {
    expect((await rulesFor(path, shown(schema))).list?.path ?? null).toEqual(expected)
  })

  test('one that has no place in its path is a list if it is paged by a parameter', async () => {
    const body = object({ alarms: list(text), state: text })
    expect((await rulesFor('/status', shown(body), ['page'])).list?.path).toEqual(['alarms'])
    expect((await rulesFor('/status', shown(body), ['colour'])).list).toBeNull()
  })
})

describe('what tells a resource apart', () => {
  test.each<[string, object, string | null]>([
    ['/things/{id}', thing, 'id'],
    ['/things/{thingId}', object({ thingId: text, id: text }), 'thingId'],
    ['/things/{thingId}', object({ id: { type: 'integer' } }), 'id'],
    ['/factions/{factionSymbol}', object({ symbol: text, name: text }), 'symbol'],
    ['/things/{id}', object({ id: object({}), uuid: text }), 'uuid'],
    ['/things/{id}', object({ data: object({ id: text }) }), 'id'],
    ['/things/{id}', object({ a: object({ id: text }), b: object({ id: text }) }), null],
    ['/things/{id}', { oneOf: [object({ id: text, a: text }), object({ id: text, b: text })] }, 'id'],
    ['/things/{id}', object({ size: text }), null],
  ])('%s with %j is %s', async (path, schema, identity) => {
    const rules = await rulesFor(path, shown(schema))
    expect(rules.identity).toBe(identity)
    const [, name] = /\{(.*)\}/.exec(path) ?? []
    expect(rules.path).toEqual(
      identity === null ? [] : [{ parameter: name, property: identity, isIdentity: true }],
    )
  })

  test('a parameter of the path that is another property is that of each resource', async () => {
    const schema = list(object({ id: text, shop: text }))
    const rules = await rulesFor('/shops/{shop}/things', shown(schema))
    expect(rules.path).toEqual([{ parameter: 'shop', property: 'shop', isIdentity: false }])
    const off = await rulesFor('/shops/{shop}/things', shown(schema), [], { 'getThem.shop': 'off' })
    expect(off.path).toEqual([])
  })

  test('the property that a link of the document names is it', async () => {
    const created = object({ id: text, serial: text })
    const links = {
      get: { operationId: 'getThem', parameters: { thing: '$response.body#/serial' } },
    }
    const post = { operationId: 'create', responses: { 201: shown(created, { links }) } }
    const paths = { '/things': { post } }
    expect((await rulesFor('/things/{thing}', shown(created), [], {}, { paths })).identity).toBe('serial')
  })
})

test('Location is the path of what is created, and has no meaning in the response to a GET', async () => {
  const headers = { Location: { schema: text } }
  const post = { operationId: 'create', responses: { 201: shown(thing, { headers }) } }
  const more = { paths: { '/things': { post } } }
  const created = await rulesFor('/things/{id}', shown(thing, { headers }), [], {}, { ...more, id: 'create' })
  expect(created.location).toBe('/things/{id}')
  expect(created.sentences.join()).toContain('`Location` is the path of what create gives: /things/{id}')
  expect((await rulesFor('/things/{id}', shown(thing, { headers }), [], {}, more)).location).toBeNull()
})

test('each rule is said in one sentence', async () => {
  const page = object({ items: list(thing), total: { type: 'integer' } })
  const query = ['limit', 'page', 'offset', 'cursor', 'sort', 'order', 'colour']
  expect((await rulesFor('/things', shown(page), query)).sentences).toMatchInlineSnapshot(`
    [
      "\`limit\` sets the length of \`items\`",
      "\`page\` is the number of the page that \`items\` gives",
      "\`offset\` is how many items \`items\` leaves out at the start",
      "\`cursor\` is where \`items\` goes on",
      "\`sort\` names the property by which \`items\` is sorted",
      "\`order\` is the direction in which \`items\` is sorted",
      "\`colour\` selects the items of \`items\` by \`colour\`",
      "\`total\` is the number of all items of \`items\`",
    ]
  `)
})
