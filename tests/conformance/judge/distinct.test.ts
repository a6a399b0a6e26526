/** Of an operation that accepts no valid request, some of what it rejects shows something all the same. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, createInstance, shown, verifyAnswering } from './answering.ts'

const instance = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
}
const document = createInstance(instance, { 201: shown(instance), '4XX': shown({ type: 'object' }) })

type Kinds = Readonly<Record<string, number>>

const kindsOf = async (
  answer: (asked: Asked) => Answer,
): Promise<Readonly<Record<'reject' | 'accept', Kinds>>> => {
  const { entries } = await verifyAnswering(document, answer, { cases: 400 })
  const of = (family: string): Kinds => {
    const kinds = entries
      .filter(({ obligation }) => obligation.family === family && obligation.level === 'MUST')
      .map(({ verdict }) => verdict.kind)
    return Object.fromEntries(
      [...new Set(kinds)].sort().map(kind => [kind, kinds.filter(each => each === kind).length]),
    )
  }
  return { reject: of('reject'), accept: of('accept') }
}

const closed: Answer = { status: 409, body: { message: 'the store is closed on Sundays' } }

/** What is wrong with a body; null if nothing is. */
const faultOf = ({ body, headers }: Asked): string | null => {
  if (headers['content-type']?.toLowerCase().startsWith('application/json') !== true) return 'this is no JSON'
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return 'cannot be parsed'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
  const { name, size } = value as { name?: unknown; size?: unknown }
  if (typeof name !== 'string') return 'the name must be a text'
  if (size !== undefined && !(Number.isInteger(size) && (size as number) >= 1))
    return 'the size must be at least one'
  return null
}

test('a server that names each fault before it says that it is closed rejects for that fault', async () => {
  const { reject, accept } = await kindsOf(asked => {
    const fault = faultOf(asked)
    return fault === null ? closed : { status: 400, body: { message: fault } }
  })
  expect(accept.passed).toBeUndefined()
  expect(reject.passed).toBeGreaterThan(20)
  // What JSON.parse takes without a word is not noticed.
  expect(reject.passed ?? 0).toBeGreaterThan(3 * (reject.inconclusive ?? 0))
})

test('one that says the same to everything shows nothing', async () => {
  const { reject } = await kindsOf(() => closed)
  expect(Object.keys(reject)).toEqual(['inconclusive'])
})

test('one that has other words for each request shows nothing', async () => {
  const words =
    'oak elm ash fir yew box bay fig sage mint rue dill rose lily iris moss fern reed rush palm'.split(' ')
  let count = 0
  const { reject } = await kindsOf(() => {
    count += 1
    const message = [count, count / 20, count / 400].map(each => words[Math.floor(each) % 20]).join(' ')
    return { status: 409, body: { message } }
  })
  expect(Object.keys(reject)).toEqual(['inconclusive'])
})

test('a fault that is answered as valid requests are shows nothing', async () => {
  // It does not look at the size.
  const { reject } = await kindsOf(asked => {
    const fault = faultOf(asked)
    return fault === null || fault.includes('size') ? closed : { status: 400, body: { message: fault } }
  })
  expect(reject.inconclusive).toBeGreaterThan(4)
  expect(reject.passed).toBeGreaterThan(15)
})
