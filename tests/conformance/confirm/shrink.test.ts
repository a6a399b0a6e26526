/** Bodies become smaller by candidates of our own: with those of fast-check for any JSON, the requests do not suffice. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shrink } from '../../../conformance/confirm/shrink.ts'
import { type Json, parseJson, writeJson } from '../../../spec/index.ts'

/** What a server is sent, and when it fails. */
const plant = {
  id: 4711,
  name: 'Monstera deliciosa, variegated',
  price: 12.5,
  tags: ['green', 'large', 'indoor', 'rare'],
  size: { height: 120, unit: 'cm', pot: { diameter: 21, colour: 'terracotta' } },
  stock: 12,
  active: true,
  note: 'Ships in “48 h” — é',
  prices: [
    { from: 1, amount: 12.5 },
    { from: 10, amount: 11 },
    { from: 100, amount: 9.25 },
  ],
  description: 'A plant with large, split leaves. '.repeat(8),
}
/** What it gets may be anything. */
type Fails = (body: Partial<typeof plant> | null) => boolean

const has = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && name in value
const faults: readonly (readonly [when: string, fails: Fails])[] = [
  ['any body', () => true],
  ['has name', v => has(v, 'name')],
  ['has id and name', v => has(v, 'id') && has(v, 'name')],
  ['all required', v => ['id', 'name', 'price', 'stock'].every(k => has(v, k))],
  ['required as text/number', v => typeof v?.name === 'string' && typeof v?.id === 'number'],
  ['name longer than 10', v => typeof v?.name === 'string' && v.name.length > 10],
  ['name longer than 25', v => typeof v?.name === 'string' && v.name.length > 25],
  ['name has comma', v => typeof v?.name === 'string' && v.name.includes(',')],
  ['note not ASCII', v => typeof v?.note === 'string' && /[^\x20-\x7e]/.test(v.note)],
  ['note has é', v => typeof v?.note === 'string' && v.note.includes('é')],
  ['note has quote', v => typeof v?.note === 'string' && v.note.includes('“')],
  ['description longer than 200', v => typeof v?.description === 'string' && v.description.length > 200],
  ['description longer than 64', v => typeof v?.description === 'string' && v.description.length > 64],
  ['empty tags or more', v => Array.isArray(v?.tags)],
  ['two tags', v => Array.isArray(v?.tags) && v.tags.length >= 2],
  ['four tags', v => Array.isArray(v?.tags) && v.tags.length >= 4],
  ['tag rare', v => Array.isArray(v?.tags) && v.tags.includes('rare')],
  [
    'tags strings, one long',
    v => Array.isArray(v?.tags) && v.tags.some(t => typeof t === 'string' && t.length > 5),
  ],
  ['price fraction', v => typeof v?.price === 'number' && !Number.isInteger(v.price)],
  ['id > 100', v => typeof v?.id === 'number' && v.id > 100],
  ['id > 4000', v => typeof v?.id === 'number' && v.id > 4000],
  ['stock not 0', v => typeof v?.stock === 'number' && v.stock !== 0],
  ['active true', v => v?.active === true],
  ['nested height', v => has(v?.size, 'height')],
  ['nested pot colour', v => has(v?.size?.pot, 'colour')],
  ['pot colour long', v => typeof v?.size?.pot?.colour === 'string' && v.size.pot.colour.length > 3],
  ['prices 3', v => Array.isArray(v?.prices) && v.prices.length >= 3],
  ['price item with amount', v => Array.isArray(v?.prices) && v.prices.some(p => has(p, 'amount'))],
  [
    'price item fraction',
    v =>
      Array.isArray(v?.prices) &&
      v.prices.some(p => typeof p?.amount === 'number' && !Number.isInteger(p.amount)),
  ],
  ['tags and nested unit', v => Array.isArray(v?.tags) && v.tags.length > 0 && has(v?.size, 'unit')],
  [
    'required + name > 10',
    v => ['id', 'price', 'stock'].every(k => has(v, k)) && typeof v?.name === 'string' && v.name.length > 10,
  ],
  [
    'required + tag rare',
    v =>
      ['id', 'name', 'price', 'stock'].every(k => has(v, k)) &&
      Array.isArray(v?.tags) &&
      v.tags.includes('rare'),
  ],
]

/** The requests that one body may cost. */
const limit = 60

type Shrunk = { readonly tries: number; readonly characters: number }

const byOwn = async (fails: Fails): Promise<Shrunk> => {
  let tries = 0
  const { body } = await shrink(
    { body: parseJson(JSON.stringify(plant)) as Json | undefined },
    async candidate => {
      tries += 1
      return fails(JSON.parse(writeJson(candidate))) ? { body: candidate } : null
    },
    limit,
  )
  return { tries, characters: writeJson(body as Json).length }
}

const byFastCheck = (arbitrary: fc.Arbitrary<unknown>, fails: Fails): Shrunk => {
  let [tries, best, context]: [number, unknown, unknown] = [0, plant, undefined]
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const next of arbitrary.shrink(best, context)) {
      if (tries === limit) return { tries, characters: JSON.stringify(best).length }
      tries += 1
      if (!fails(next.value as typeof plant)) continue
      ;[best, context, isSmaller] = [next.value, next.context, true]
      break
    }
  }
  return { tries, characters: JSON.stringify(best).length }
}

/** Arbitraries that know the properties of a value. */
const arbitraryLike = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.array(fc.oneof(...value.map(arbitraryLike)))
  if (typeof value === 'string') return fc.string({ unit: 'binary' })
  if (typeof value === 'number') return Number.isInteger(value) ? fc.integer() : fc.double({ noNaN: true })
  if (typeof value === 'boolean') return fc.boolean()
  const members = Object.entries(value as object).map(([name, member]) => [name, arbitraryLike(member)])
  return fc.record(Object.fromEntries(members), { requiredKeys: [] })
}

const sum = (all: readonly Shrunk[]): Shrunk => ({
  tries: all.reduce((total, { tries }) => total + tries, 0),
  characters: all.reduce((total, { characters }) => total + characters, 0),
})

test(`of ${faults.length} faults, each is shown by a smaller body than with fast-check, in fewer requests`, async () => {
  const own = sum(await Promise.all(faults.map(([, fails]) => byOwn(fails))))
  const arbitraries = { any: fc.jsonValue({ stringUnit: 'binary' }), known: arbitraryLike(plant) }
  const [any, known] = Object.values(arbitraries).map(arbitrary => {
    expect(arbitrary.canShrinkWithoutContext(plant)).toBe(true)
    return sum(faults.map(([, fails]) => byFastCheck(arbitrary, fails)))
  })
  // docs/packages.md has these figures.
  expect({ own, any, known }).toEqual({
    own: { tries: 1119, characters: 958 },
    any: { tries: 1861, characters: 15711 },
    known: { tries: 1227, characters: 6115 },
  })
})
