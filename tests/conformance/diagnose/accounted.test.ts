/** A failure that other failures predict is not told by itself; one that they do not predict is. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, createInstance, shown, verifyAnswering } from '../judge/answering.ts'

const properties = { name: { type: 'string' }, tag: { type: 'string' }, size: { type: 'integer' } }
const instance = { type: 'object', required: ['name', 'tag', 'size'], properties }
const document = createInstance(instance, { 201: shown({}), 400: shown({}) })

type Body = Readonly<Record<string, unknown>>
const read = (text: string): Body | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
  } catch {
    return null
  }
}
const isValid = ({ name, tag, size }: Body): boolean =>
  typeof name === 'string' && typeof tag === 'string' && Number.isInteger(size)

/** Answers as it should, but for what `fault` says. */
const store =
  (fault: (body: Body) => number | null) =>
  ({ body }: Asked): Answer => {
    const value = read(body)
    const status = value === null ? null : fault(value)
    return { status: status ?? (value !== null && isValid(value) ? 201 : 400), body: {} }
  }

/** What is told of its crashes. */
const told = async (fault: (body: Body) => number | null): Promise<readonly string[]> => {
  const { findings } = await verifyAnswering(document, store(fault), {})
  return findings
    .filter(({ outcome }) => outcome.kind === 'response' && outcome.status === 500)
    .map(({ obligation }) => obligation.replace('createThing/', ''))
    .sort()
}

test('two invalid properties are predicted by the one that crashes by itself', async () => {
  expect(await told(({ name }) => (name === null ? 500 : null))).toEqual(['request/body/name/type/null'])
})

test('two invalid properties are predicted by two that crash, one or the other in each', async () => {
  expect(await told(({ name, size }) => (name === null || size === null ? 500 : null))).not.toContain(
    'request/body/several-violations',
  )
})

test('two invalid properties that crash together only are told', async () => {
  const isWrong = (value: unknown): boolean => typeof value !== 'string'
  const found = await told(({ name, tag }) => (isWrong(name) && isWrong(tag) ? 500 : null))
  expect(found).toContain('request/body/several-violations')
})

test('valid requests that crash are told beside invalid ones that crash', async () => {
  const found = await told(body => {
    if (body.name === null) return 500
    return isValid(body) && `${body.name}${body.tag}${body.size}`.length % 41 === 0 ? 500 : null
  })
  expect(found).toContain('request/body/name/type/null')
  expect(found).toContain('request/valid')
})

const byChance = (body: Body): boolean => `${body.name}${body.tag}${body.size}`.length % 41 === 0

test.each<[string, (body: Body) => boolean]>([
  ['name/percent', ({ name }) => `${name}`.includes('%')],
  ['tag/long-255', ({ tag }) => `${tag}`.length > 200],
  ['size/minus-one', ({ size }) => Number(size) < 0],
])(
  'a kind of valid requests that always crashes is told, though others crash by chance: %s',
  async (kind, always) => {
    const found = await told(body => (isValid(body) && (always(body) || byChance(body)) ? 500 : null))
    expect(found).toContain(`request/body/${kind}`)
  },
)

test('if every valid request crashes, no kind of them is told', async () => {
  expect(await told(body => (isValid(body) ? 500 : null))).toEqual(['request/valid'])
})

test('kinds that crash for reasons of their own are told each', async () => {
  const has = (value: unknown, part: string): boolean => typeof value === 'string' && value.includes(part)
  const found = await told(({ name, tag }) => (has(name, '%') || has(tag, '<') ? 500 : null))
  expect(found).toContain('request/body/name/percent')
  expect(found).toContain('request/body/tag/markup')
})
