/** A discriminator chooses among schemas wherever they stand: in the document, in other files, or one in each. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Json, loadContract } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'

const kind = { type: 'string' }
const A = { type: 'object', required: ['kind'], properties: { kind, v: { type: 'string' } } }
const B = { ...A, properties: { kind, v: { type: 'integer' } } }
const pet = { type: 'object', required: ['kind'], properties: { kind } }
const child = (base: string, property: string) => ({
  allOf: [
    { $ref: base },
    { type: 'object', required: [property], properties: { [property]: { type: 'integer' } } },
  ],
})
const union = (a: string, b: string, mapping?: object) => ({
  oneOf: [{ $ref: a }, { $ref: b }],
  discriminator: { propertyName: 'kind', ...(mapping === undefined ? {} : { mapping }) },
})
const named = (a: string, b: string) => ({ a, b })
const components = (schemas: object) => ({ components: { schemas } })

type Files = Readonly<Record<string, object>>

/** The schema of a response, and the other files. */
const unions: readonly (readonly [
  name: string,
  schema: object,
  files: Files,
  values: readonly [string, string],
])[] = [
  [
    'the very text of the references',
    union('x.json#/A', 'x.json#/B', named('x.json#/A', 'x.json#/B')),
    { 'x.json': { A, B } },
    ['a', 'b'],
  ],
  [
    'files as they are',
    union('s/A.json', 's/B.json', named('./s/A.json', 's/B.json')),
    { 's/A.json': A, 's/B.json': B },
    ['a', 'b'],
  ],
  [
    'a union in a file of its own',
    { $ref: 's/U.json' },
    { 's/U.json': union('./A.json', 'B.json', named('A.json', './B.json')), 's/A.json': A, 's/B.json': B },
    ['a', 'b'],
  ],
  [
    'a union among the components of another file',
    { $ref: 'x.json#/components/schemas/U' },
    {
      'x.json': components({
        A,
        B,
        U: union('#/components/schemas/A', '#/components/schemas/B', named('#/components/schemas/A', 'B')),
      }),
    },
    ['a', 'b'],
  ],
  [
    'names that are implied',
    union('x.json#/components/schemas/A', 'x.json#/components/schemas/B'),
    { 'x.json': components({ A, B }) },
    ['A', 'B'],
  ],
  ['names of files', union('s/A.json', 's/B.json'), { 's/A.json': A, 's/B.json': B }, ['A', 'B']],
  [
    'names that both files have',
    {
      anyOf: [{ $ref: 'x.json#/components/schemas/A' }, { $ref: 'y.json#/components/schemas/A' }],
      discriminator: {
        propertyName: 'kind',
        mapping: named('x.json#/components/schemas/A', 'y.json#/components/schemas/A'),
      },
    },
    { 'x.json': components({ A }), 'y.json': components({ A: B }) },
    ['a', 'b'],
  ],
  [
    'one here and one there',
    union('#/components/schemas/A', 'x.json#/B', named('A', 'x.json#/B')),
    { 'x.json': { B } },
    ['a', 'b'],
  ],
]

const load = async (schema: object, files: Files) => {
  const folder = emptyFolder()
  const put = (name: string, value: object): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(value))
  }
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'ok', content } }
  put('main.json', {
    openapi: '3.0.3',
    info: { title: 'a', version: '1' },
    paths: { '/a': { get: { responses } }, '/b': { get: { responses } } },
    ...components({ A }),
  })
  for (const [name, value] of Object.entries(files)) put(name, value)
  const contract = await loadContract({ from: join(folder, 'main.json') })
  const judges = contract.operations.map(operation =>
    contract.responses.schemas.validator(operation.responses[0]?.media[0]?.schema ?? ''),
  )
  const fits = (value: Json): boolean => {
    const all = judges.map(judge => judge(value).length === 0)
    expect(new Set(all).size, 'both operations have the same schema').toBe(1)
    return all[0] === true
  }
  return { contract, fits }
}

test.each(unions)('%s', async (_, schema, files, [a, b]) => {
  const { contract, fits } = await load(schema, files)
  expect(contract.warnings).toEqual([])
  expect(fits({ kind: a, v: 's' })).toBe(true)
  expect(fits({ kind: b, v: 1 })).toBe(true)
  expect(fits({ kind: b, v: 's' })).toBe(false)
  expect(fits({ kind: a, v: 1 })).toBe(false)
  expect(fits({ kind: a })).toBe(true)
  expect(fits({ kind: 'other', v: 's' })).toBe(false)
})

const discriminator = { propertyName: 'kind' }
const bases: readonly (readonly [
  name: string,
  schema: object,
  files: Files,
  values: readonly [string, string],
])[] = [
  [
    'a base with a mapping',
    { $ref: 'x.json#/components/schemas/Pet' },
    {
      'x.json': components({
        Pet: {
          ...pet,
          discriminator: { ...discriminator, mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
        },
        Cat: child('#/components/schemas/Pet', 'meow'),
        Dog: child('#/components/schemas/Pet', 'bark'),
      }),
    },
    ['cat', 'dog'],
  ],
  [
    'a base without one',
    { $ref: 'x.json#/components/schemas/Pet' },
    {
      'x.json': components({
        Pet: { ...pet, discriminator },
        Cat: child('#/components/schemas/Pet', 'meow'),
        Dog: child('#/components/schemas/Pet', 'bark'),
      }),
    },
    ['Cat', 'Dog'],
  ],
  [
    'a file for each',
    { $ref: 'pet.json' },
    {
      'pet.json': {
        ...pet,
        discriminator: { ...discriminator, mapping: { cat: 'cat.json', dog: './dog.json' } },
      },
      'cat.json': child('pet.json', 'meow'),
      'dog.json': child('./pet.json', 'bark'),
    },
    ['cat', 'dog'],
  ],
]

test.each(bases)('%s', async (_, schema, files, [cat, dog]) => {
  const { contract, fits } = await load(schema, files)
  expect(contract.warnings).toEqual([])
  expect(fits({ kind: cat, meow: 1 })).toBe(true)
  expect(fits({ kind: dog, bark: 1 })).toBe(true)
  expect(fits({ kind: cat })).toBe(false)
  expect(fits({ kind: dog, meow: 1 })).toBe(false)
})

test('a mapping that leads nowhere is told with its line', async () => {
  const { contract } = await load(union('x.json#/A', 'x.json#/B', named('x.json#/A', 'x.json#/C')), {
    'x.json': { A, B },
  })
  expect([...new Set(contract.warnings.map(({ message }) => message))]).toEqual([
    'the mapping of the discriminator leads nowhere for "b": x.json#/C is no schema',
  ])
  expect(contract.warnings[0]?.place?.line).toBeGreaterThan(0)
})
