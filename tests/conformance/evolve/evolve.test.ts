import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Difference, evolve } from '../../../conformance/index.ts'
import { type Contract, loadContract } from '../../../spec/index.ts'
import { libraryDocument, ordersDocument, paymentsDocument } from '../../documents/index.ts'
import { contractOfBody, writeDocument } from '../../spec/contracts.ts'
import { confirm } from './confirm.ts'
import { pairs } from './pairs.ts'
import { store } from './store.ts'

const load = (document: object) =>
  loadContract({ from: writeDocument('api.json', JSON.stringify(document, null, 2)) })

const old = await load(store())

const told = ({ level, concerns, requirement, message }: Difference): string =>
  `${concerns === 'old-servers' ? 'old servers' : level} ${requirement ?? message}`

describe('of one change', () => {
  const cases = pairs.map(([name, edit, ...expected]) => ({ name, edit, expected }))
  test.each(cases)('$name', async ({ edit, expected }) => {
    const changed = store()
    edit(changed)
    const now = await load(changed)
    const { differences, undecided } = await evolve(old, now)
    expect(differences.map(told)).toEqual(expected)
    expect(undecided).toEqual([])
    for (const each of differences) {
      expect(confirm(each, old, now)).toBe(true)
      expect(new Set(each.touches.map(({ operation }) => operation))).toEqual(new Set(each.operations))
      const [allowing, ruling] =
        (each.part === 'request') === (each.concerns === 'old-clients')
          ? [each.old, each.new]
          : [each.new, each.old]
      if (each.witness !== null) {
        expect(allowing.violated).toEqual([])
        expect(ruling.violated).not.toEqual([])
      }
    }
  })
})

const documents = { libraryDocument, ordersDocument, paymentsDocument }

test.each(Object.entries(documents))('a document is silent with itself: %s', async (_name, document) => {
  const { differences, undecided } = await evolve(document, document)
  expect({ differences, undecided }).toEqual({ differences: [], undecided: [] })
})

test('a range breaks requests where it is narrower, responses where it is wider, and nothing else is told of it', async () => {
  const bound = fc.integer({ min: -20, max: 20 })
  const range = fc.tuple(bound, bound).filter(([least, most]) => least <= most)
  await fc.assert(
    fc.asyncProperty(range, range, async ([least, most], [above, below]) => {
      const bodyOf = (minimum: number, maximum: number) =>
        contractOfBody({ type: 'integer', minimum, maximum })
      const [before, after] = [await bodyOf(least, most), await bodyOf(above, below)]
      const { differences, undecided } = await evolve(before, after, { oldServers: null })
      const expected = [
        ...(least < above ? ['breaking a/request/body/minimum'] : []),
        ...(most > below ? ['breaking a/request/body/maximum'] : []),
        // The response has the same schema, and the other way round.
        ...(above < least ? ['breaking a/response/200/body/minimum'] : []),
        ...(below > most ? ['breaking a/response/200/body/maximum'] : []),
      ]
      expect(differences.map(told).sort()).toEqual(expected.sort())
      expect(undecided).toEqual([])
    }),
    { numRuns: 30, seed: 1 },
  )
})

test('the same seed finds the same examples', async () => {
  const changed = store()
  const some = ['pattern tightened', 'format changed', 'response enum grown', 'alternative limited']
  for (const [name, edit] of pairs) if (some.includes(name)) edit(changed)
  const now = await load(changed)
  expect(await evolve(old, now, { seed: 7 })).toEqual(await evolve(old, now, { seed: 7 }))
})

test('what several operations share is told once, with all of them', async () => {
  const changed = store()
  changed.components.schemas.Plant.required = ['id']
  const { differences } = await evolve(old, await load(changed))
  expect(differences.map(({ operations }) => operations)).toEqual([
    ['GET /plants', 'POST /plants', 'GET /plants/{id}'],
  ])
})

test('what cannot be decided is named', async () => {
  const media = { 'image/svg+xml': { schema: { type: 'object', properties: { a: { type: 'string' } } } } }
  const withMedia = (most: number) => {
    const document = store()
    const content = JSON.parse(JSON.stringify(media).replace('"string"', `"string","maxLength":${most}`))
    Object.assign(document.paths['/plants']?.post?.requestBody ?? {}, { content: { ...content } })
    return load(document)
  }
  const { differences, undecided } = await evolve(await withMedia(5), await withMedia(4))
  expect(differences).toEqual([])
  expect(undecided).toMatchObject([
    { operation: 'POST /plants', reason: expect.stringContaining('image/svg+xml') },
  ])
})

/** A body that is one of two shapes, told apart by `kind`; `round` is the value that selects the first. */
const shapes = (round: string, isWithSquare = true): Promise<Contract> => {
  const shape = (size: string) => ({
    type: 'object',
    required: ['kind', size],
    properties: { kind: { type: 'string' }, [size]: { type: 'integer' } },
  })
  const one = { [round]: '#/components/schemas/Circle' }
  const other = { square: '#/components/schemas/Square' }
  const body = {
    oneOf: Object.values(isWithSquare ? { ...one, ...other } : one).map($ref => ({ $ref })),
    discriminator: { propertyName: 'kind', mapping: isWithSquare ? { ...one, ...other } : one },
  }
  return contractOfBody(body, { components: { schemas: { Circle: shape('radius'), Square: shape('side') } } })
}

test('the value that selects a schema, and the schemas that can be selected, are part of a contract', async () => {
  const toldOf = async (now: Contract) =>
    (await evolve(await shapes('circle'), now, { oldServers: null })).differences.map(
      ({ message }) => message,
    )
  expect(await toldOf(await shapes('circle'))).toEqual([])
  expect(await toldOf(await shapes('round'))).toEqual([
    expect.stringMatching(/^`\{"kind":"circle","radius":\d\}` was valid and is rejected: /),
    expect.stringMatching(/^a server may answer 200 with `\{"kind":"round","radius":\d\}`/),
  ])
  expect(await toldOf(await shapes('circle', false))).toEqual([
    expect.stringMatching(/^`\{"kind":"square","side":\d\}` was valid and is rejected: /),
  ])
})

test.each(['createMail', 'mail/body/create', 'a/body/headers/echo/response/declared'])(
  'the lines of %s are those of the property',
  async operationId => {
    const document = (maxLength: number) => {
      const schema = { type: 'object', properties: { body: { type: 'string', maxLength } } }
      const content = { 'application/json': { schema } }
      const post = { operationId, requestBody: { content }, responses: { 204: { description: 'ok' } } }
      return {
        openapi: '3.1.0',
        info: { title: 'Mail', version: '1' },
        paths: { '/mails': { post } },
      }
    }
    const before = await load(document(20))
    const now = await load(document(10))
    const { differences } = await evolve(before, now)
    const [line] = JSON.stringify(document(20), null, 2)
      .split('\n')
      .flatMap((text, index) => (text.includes('"maxLength"') ? [index + 1] : []))
    const found = differences.find(({ requirement }) => requirement?.endsWith('maxLength') === true)
    expect([found?.old.place?.line, found?.new.place?.line]).toEqual([line, line])
  },
)
