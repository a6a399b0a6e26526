/** `anyOf: [S, { type: null }]` is read as S with null among its types: it takes the same values, and S speaks for itself. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveObligations, valueAt } from '../../../spec/index.ts'
import { beforeNullTypes, withNullTypes } from '../../../spec/openapi/null-alternatives.ts'
import { contractOfBody } from '../contracts.ts'

const scalar = fc.oneof(
  fc.constant({ type: 'string', maxLength: 3 }),
  fc.constant({ type: 'string', enum: ['a', 'b'] }),
  fc.constant({ type: ['string', 'integer'], enum: ['a', 1] }),
  fc.constant({ type: 'integer', minimum: 1 }),
  fc.constant({ type: 'array', items: { type: 'string' }, minItems: 1 }),
  fc.constant({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }),
  fc.constant({ const: 'a' }),
  fc.constant({ type: 'string', not: { const: 'a' } }),
  fc.constant({ $ref: '#/components/schemas/Named' }),
  fc.constant({ enum: ['a', null] }),
)
const nothing = fc.constantFrom({ type: 'null' }, { type: 'null', title: 'Nothing' })
const siblings = fc.constantFrom({}, { title: 'A', default: null }, { type: 'string' }, { maxLength: 2 })
const optional = fc
  .tuple(fc.constantFrom('anyOf', 'oneOf'), scalar, nothing, fc.boolean(), siblings, fc.boolean())
  .map(([keyword, one, none, isFirst, others, isThree]) => ({
    ...others,
    [keyword]: [...(isFirst ? [none, one] : [one, none]), ...(isThree ? [{ type: 'boolean' }] : [])],
  }))
const schemas = fc.record({
  Named: fc.oneof(scalar, optional),
  Tested: fc.oneof(
    optional,
    optional.map(items => ({ type: 'array', items })),
    optional.map(a => ({ type: 'object', properties: { a }, required: ['a'] })),
  ),
})
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'a', 'b', 'abcd', 0, 1, 2, true),
  fc.constantFrom<unknown>([], ['a'], [1], {}, { a: 1 }, { a: 'a' }),
)
const values = fc.oneof(
  leaf,
  leaf.map(each => [each]),
  leaf.map(a => ({ a })),
)

const isValid = (components: object, value: unknown): boolean => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  return ajv.addSchema({ $id: 'd', components }).validate('d#/components/schemas/Tested', value)
}

test('it takes the same values', () => {
  fc.assert(
    fc.property(schemas, values, (all, value) => {
      // A schema that is nothing but a reference to itself has no meaning.
      fc.pre(!JSON.stringify(all.Named).includes('$ref'))
      const document = { components: { schemas: all } }
      const { components } = withNullTypes(document) as typeof document
      expect(isValid(components, value)).toBe(isValid(document.components, value))
    }),
    { numRuns: 200 },
  )
})

/** The value at a pointer, through references. */
const resolved = (document: object, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => {
      const { $ref } = node as { readonly $ref?: string }
      const target = $ref === undefined || name === '$ref' ? node : valueAt(document, $ref.slice(1))
      return (target as Record<string, unknown>)[name]
    }, document)

test('every keyword in it comes from where the document has it', () => {
  fc.assert(
    fc.property(schemas, all => {
      fc.pre(!JSON.stringify(all.Named).includes('$ref'))
      const document = { components: { schemas: all } }
      const visit = (node: unknown, pointer: string): void => {
        if (typeof node !== 'object' || node === null) return
        for (const [key, child] of Object.entries(node)) {
          const at = `${pointer}/${key}`
          const before = resolved(document, beforeNullTypes(document, at))
          // Null comes from its own alternative.
          if (key === 'type' && typeof before === 'string') expect([child].flat()).toContain(before)
          else if (key === 'type' || key === 'enum')
            expect(child).toEqual(expect.arrayContaining(before as []))
          else if (typeof child !== 'object') expect(child).toBe(before)
          if (key !== 'type' && key !== 'enum') visit(child, at)
        }
      }
      visit(withNullTypes(document), '')
    }),
    { numRuns: 500 },
  )
})

test('its keywords are requirements of their own, with their lines', async () => {
  const text = (maxLength: number): object => ({
    anyOf: [{ type: 'string', maxLength }, { type: 'null' }],
    title: 'Note',
  })
  const optional = { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] }
  const Part = { type: 'object', properties: { name: text(7) } }
  const contract = await contractOfBody(
    { type: 'object', required: ['note'], properties: { note: text(50), part: optional } },
    { components: { schemas: { Part } } },
  )
  const obligations = [...deriveObligations(contract, 'declared')].flat()
  const found = (id: string) => obligations.find(each => each.id === `a/request/body/${id}`)
  for (const id of [
    'note/at-maxLength',
    'note/maxLength',
    'note/quotes',
    'note/type/number',
    'part/name/maxLength',
  ])
    expect([id, found(id)?.level]).toEqual([id, 'MUST'])
  const limit = found('note/maxLength')?.clause.pointer
  expect(limit && contract.place(limit).pointer).toBe(
    '/paths/~1a/post/requestBody/content/application~1json/schema/properties/note/anyOf/0/maxLength',
  )
  const inner = found('part/name/maxLength')?.clause.pointer
  expect(inner && contract.place(inner).pointer).toBe(
    '/components/schemas/Part/properties/name/anyOf/0/maxLength',
  )
})
