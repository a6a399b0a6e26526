/** Servers that take only what their document does not say: the suite finds it by the document's examples and by the server's own words. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

type Instance = Readonly<Record<string, unknown>>
type Refusal = {
  readonly isRight: (instance: Instance) => boolean
  readonly words: unknown
  readonly status?: number
}

const text = { type: 'string' }
const whole = { type: 'integer' }

/** Runs against a server that takes resources as the schema says, and refuses with these words what is not right besides. */
const run = async (properties: Record<string, object>, refusal: Refusal, more: object = {}) => {
  const schema = { type: 'object', required: ['name'], properties, ...more }
  const contract = await loadContract({
    from: writeDocument(
      'things.json',
      documentWith({
        '/things': {
          post: {
            operationId: 'addThing',
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { 201: { description: 'added' }, 400: { description: 'refused' } },
          },
        },
      }),
    ),
  })
  const accepted: Instance[] = []
  const server = createServer(async (request, response) => {
    const body = strictJson(Buffer.concat(await request.toArray())) as Instance | null | undefined
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const isRight = request.method === 'POST' && hasJsonType(request) && isObject && refusal.isRight(body)
    if (isRight) accepted.push(body)
    response.writeHead(isRight ? 201 : (refusal.status ?? 400), { 'content-type': 'application/json' })
    response.end(isRight ? undefined : JSON.stringify(refusal.words))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const { findings, notes, entries } = await verify({
    contract,
    target: url,
    seed: 1,
    sustained: 0,
    cases: 60,
  })
  return {
    accepted,
    titles: findings.map(({ title }) => title),
    notes: notes.map(({ message }) => message),
    reasons: entries.flatMap(({ verdict }) => ('reason' in verdict ? [verdict.reason] : [])),
  }
}

const within = (properties: Record<string, object>): object => ({ type: 'object', properties })

const at = (instance: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as Instance | undefined)?.[name], instance)

const has = (name: string, isRight: (value: string) => boolean) => (instance: Instance) =>
  typeof instance[name] === 'string' && isRight(instance[name])

test.each<readonly [words: unknown, properties: Record<string, object>, isRight: Refusal['isRight']]>([
  [
    { error: "name must be one of 'small', 'large'" },
    { name: text },
    has('name', name => ['small', 'large'].includes(name)),
  ],
  [
    { detail: [{ loc: ['body', 'name'], msg: "Input should be 'small' or 'large'" }] },
    { name: text },
    has('name', name => name === 'large' || name === 'small'),
  ],
  [
    { error: 'Name has to be in list [Native, Master]' },
    { name: text },
    has('name', name => name === 'Master'),
  ],
  [
    { errors: { name: ['"x" is not a valid choice. Choices are: red, green.'] } },
    { name: text },
    has('name', name => name === 'green'),
  ],
  [
    { message: 'name does not match the pattern "^[A-Z]{2}-[0-9]{3}$"' },
    { name: text },
    has('name', name => /^[A-Z]{2}-[0-9]{3}$/.test(name)),
  ],
  [
    { message: 'name must be at least 20 characters long' },
    { name: text },
    has('name', name => name.length >= 20),
  ],
  [{ title: 'name must not exceed 4 characters' }, { name: text }, has('name', name => name.length <= 4)],
  [
    { fault: 'size must be less than or equal to 5' },
    { name: text, size: whole },
    instance => Number(instance.size ?? 9) <= 5,
  ],
  [
    { fault: [{ field: 'size', message: 'is required' }] },
    { name: text, size: whole },
    instance => Number.isInteger(instance.size),
  ],
  [
    { message: 'invalid AddThing.Name: value must be in list [1.0 1.1 1.2]' },
    { name: text },
    has('name', name => name === '1.1'),
  ],
  [
    { message: "Must specify name of a thing as 'text' or 'base64'" },
    { name: text },
    has('name', name => name === 'base64'),
  ],
  [
    { detail: { name: 'Enter a valid email address.' } },
    { name: text },
    has('name', name => /^\S+@\S+\.\w+$/.test(name)),
  ],
  [
    { detail: 'name: invalid UUID' },
    { name: text },
    has('name', name => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name)),
  ],
  [
    { error: "DNS Name 'x' is not canonical" },
    { name: text },
    has('name', name => /^[\w-]+(\.[\w-]+)+\.$/.test(name)),
  ],
  [{ error: 'this name is no good' }, { name: text }, has('name', name => /^https:\/\/[\w.-]+\//.test(name))],
  [
    { error: 'the sizes of a thing are required' },
    { name: text, size: whole },
    instance => Number.isInteger(instance.size),
  ],
  [
    { detail: 'filter.range.after_ is required' },
    { name: text, filter: within({ range: within({ after_: whole, name: text }) }) },
    instance => Number.isInteger(at(instance, 'filter', 'range', 'after_')),
  ],
  [
    { detail: [{ loc: ['body', 'filter', 'after_'], msg: 'Field required' }] },
    { name: text, filter: within({ after_: whole }) },
    instance => Number.isInteger(at(instance, 'filter', 'after_')),
  ],
  [
    { error: 'Inconsistent number of ids and values' },
    { name: text, ids: { type: 'array', items: text }, values: { type: 'array', items: whole } },
    ({ ids, values }) =>
      Array.isArray(ids) && Array.isArray(values) && ids.length === 1 && values.length === 1,
  ],
])('what a server says is tried: %j', async (words, properties, isRight) => {
  const { accepted, titles } = await run(properties, { words, isRight })
  expect(accepted.length).toBeGreaterThan(3)
  expect(titles.join()).not.toContain('accepted no valid request')
  // The document allows what the server refused.
  expect(titles).not.toEqual([])
})

test('two things that a server asks for are found one after the other', async () => {
  let words: unknown
  const isRight = (instance: Instance): boolean => {
    words = has('kind', kind => kind === 'tree')(instance)
      ? { error: 'size is required' }
      : { error: "kind must be one of 'tree'" }
    return instance.kind === 'tree' && Number.isInteger(instance.size)
  }
  const { accepted } = await run(
    { name: text, kind: text, size: whole },
    {
      isRight,
      get words() {
        return words
      },
    },
  )
  expect(accepted.length).toBeGreaterThan(3)
})

test('a name that is asked for is another one in each request, and a code is tried again beside it', async () => {
  const names = new Set<unknown>()
  let words: unknown
  const isRight = ({ label, algorithm }: Instance): boolean => {
    words = {
      error:
        typeof label !== 'string'
          ? "Key 'label' not present or not a string"
          : algorithm !== 'hmac-sha256'
            ? `Unknown algorithm: ${algorithm}`
            : 'a key with this label exists already',
    }
    if (typeof label !== 'string' || algorithm !== 'hmac-sha256' || names.has(label)) return false
    names.add(label)
    return true
  }
  const refusal = {
    isRight,
    get words() {
      return words
    },
  }
  const { accepted, titles } = await run({ name: text, label: text, algorithm: text, note: text }, refusal)
  expect(accepted.length).toBeGreaterThan(10)
  expect(titles.join()).not.toContain('accepted no valid request')
})

test.each<readonly [where: string, properties: Record<string, object>, more: object]>([
  ['a property', { name: { ...text, example: 'rosa canina' } }, {}],
  ['a property, as one of several', { name: { ...text, examples: ['rosa', 'rosa canina'] } }, {}],
  ['a property, as its default', { name: { ...text, default: 'rosa canina' } }, {}],
  ['the whole body', { name: text }, { example: { name: 'rosa canina' } }],
])('the example of %s is tried', async (_where, properties, more) => {
  const isRight = has('name', name => name === 'rosa canina' || name === 'rosa')
  const { accepted, titles, notes } = await run(
    properties,
    { words: { error: 'unknown plant' }, isRight },
    more,
  )
  expect(accepted.length).toBeGreaterThan(3)
  expect(titles.join()).not.toContain('accepted no valid request')
  // The server has shown no value.
  expect(notes.join()).not.toContain('values from the server')
  expect(notes).toContainEqual(
    expect.stringMatching(
      /^addThing rejects some requests that the document allows, so its requests are like one that it accepts: \/name is "rosa( canina)?" \(an example\)$/,
    ),
  )
})

test('a crash that says what it wants is followed, and told', async () => {
  const isRight = has('name', name => name.startsWith('tag:'))
  const words = { code: 2, message: "name must start with the string 'tag:'" }
  const { accepted, titles } = await run({ name: text }, { isRight, words, status: 500 })
  expect(accepted.length).toBeGreaterThan(5)
  expect(titles.join()).toContain('500')
})

test('a form that a server asks for has another text in each request', async () => {
  const taken = new Set<unknown>()
  const isRight = (instance: Instance): boolean => {
    const { name, size } = instance
    if (size !== undefined && !Number.isInteger(size)) return false
    const isNew = has('name', text => /^[\w-]+(\.[\w-]+)+\.$/.test(text))(instance) && !taken.has(name)
    taken.add(name)
    return isNew
  }
  const { accepted, titles } = await run(
    { name: text, size: whole },
    { words: { error: 'the name is not canonical, or taken' }, isRight },
  )
  expect(new Set(accepted.map(({ name }) => name)).size).toBe(accepted.length)
  expect(accepted.length).toBeGreaterThan(10)
  expect(titles.filter(title => title.includes('size'))).toEqual([])
})

test('what does not exist is not looked for in other forms', async () => {
  const seen: unknown[] = []
  const isRight = ({ name }: Instance): boolean => {
    seen.push(name)
    return false
  }
  await run({ name: text }, { words: { error: 'thing not found: name' }, isRight })
  expect(seen.filter(name => typeof name === 'string' && /\w\.example\.org/.test(name))).toEqual([])
})

test('why nothing can be shown has the words of the server', async () => {
  const { reasons } = await run({ name: text }, { words: { error: 'name is wrong' }, isRight: () => false })
  expect(reasons).toContainEqual(
    expect.stringMatching(/^the server accepted none of \d+ valid requests \(400: «name is wrong»\), so/),
  )
})

test('what the words of a server cannot mend is told as before', async () => {
  const { titles } = await run({ name: text }, { words: { error: 'name is wrong' }, isRight: () => false })
  expect(titles).toContain('accepted no valid request (400): «name is wrong»')
})
