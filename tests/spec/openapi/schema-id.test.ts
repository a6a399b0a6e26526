/** An `$id` is the base of the references in its schema (JSON Schema 2020-12, core 8.2.1). */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const K = { const: 'kk' }

test.each([
  '#/$defs/K',
  'w.json#/$defs/K',
  'https://example.com/w.json#/$defs/K',
  'tree',
  '/tree',
  'https://example.com/tree',
  'tree#/not/not',
  '#named',
  'sub/k.json',
  'urn:example:k',
])('%s in a schema with an $id', async reference => {
  const W = {
    $id: 'https://example.com/w.json',
    type: 'object',
    required: ['k'],
    properties: { k: { $ref: reference } },
    $defs: {
      K,
      named: { $anchor: 'named', ...K },
      sub: { $id: 'sub/k.json', ...K },
      urn: { $id: 'urn:example:k', ...K },
    },
  }
  const Tree = { $id: 'https://example.com/tree', ...K, not: { not: K } }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/W' } } }
  const contract = await loadContract({
    from: writeDocument(
      'ids.json',
      documentWith(
        { '/a': { get: { responses: { 200: { description: 'ok', content } } } } },
        { components: { schemas: { W, Tree } } },
      ),
    ),
  })
  expect(contract.warnings).toEqual([])
  const schema = contract.operations[0]?.responses[0]?.media[0]?.schema ?? ''
  const validate = contract.responses.schemas.validator(schema)
  expect(validate({ k: 'kk' })).toEqual([])
  expect(validate({ k: 5 }).length).toBeGreaterThan(0)
})

test('an $id inside another one is relative to it, and is the base of what it holds', async () => {
  const schema = {
    $id: 'https://example.com/a/outer',
    $defs: { inner: { $id: 'b/inner', $ref: 'leaf', $defs: { leaf: { $id: 'leaf', ...K } } } },
    properties: { k: { $ref: 'b/inner' }, l: { $ref: 'https://example.com/a/b/leaf' } },
  }
  const content = { 'application/json': { schema } }
  const contract = await loadContract({
    from: writeDocument(
      'inner.json',
      documentWith({ '/a': { get: { responses: { 200: { description: 'ok', content } } } } }),
    ),
  })
  expect(contract.warnings).toEqual([])
  const validate = contract.responses.schemas.validator(
    contract.operations[0]?.responses[0]?.media[0]?.schema ?? '',
  )
  expect(validate({ k: 'kk', l: 'kk' })).toEqual([])
  for (const name of ['k', 'l']) expect(validate({ [name]: 1 }).length).toBeGreaterThan(0)
})
