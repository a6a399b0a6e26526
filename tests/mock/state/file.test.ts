/** Resources that outlive the mock, in a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createMock, OptionError } from '../../../mock/index.ts'
import { emptyFolder } from '../../folder.ts'
import { call, get, type Page, shop, startShop } from '../resources/shop.ts'

const newFile = (): string => join(emptyFolder(), 'shop.db')

test('the next mock has what the last one kept, in its order, with what was removed gone', async () => {
  const stateFile = newFile()
  const options = { contract: shop, stateFile, seedData: { '/products': [] } }
  const first = await createMock(options)
  const create = async (name: string) => (await call(first, 'POST /products', { name, price: 3 })).body
  const [fern, moss, palm] = [await create('Fern'), await create('Moss'), await create('Palm')]
  await call(first, `PATCH /products/${fern.id}`, { price: 5 })
  await call(first, `DELETE /products/${moss.id}`)
  await call(first, 'POST /products', { name: 'Own', price: 1 }, { 'Plantstore-Client': 'one' })
  const { items } = await get<Page>(first, '/products')
  await first.close()

  const second = await startShop(options)
  expect((await get<Page>(second, '/products')).items).toEqual(items)
  expect(items.map(({ id, price }) => [id, price])).toEqual([
    [fern.id, 5],
    [palm.id, 3],
  ])
  const own = await call<Page>(second, 'GET /products', undefined, { 'Plantstore-Client': 'one' })
  expect(own.body.items.map(({ name }) => name)).toEqual(['Own'])
  second.state?.reset()
  expect((await get<Page>(second, '/products')).items).toEqual([])
})

test('a loaded snapshot and removed collections below are in the file as well', async () => {
  const stateFile = newFile()
  const first = await createMock({ contract: shop, stateFile })
  const [item] = (await get<Page>(first, '/products')).items
  await get(first, `/products/${item?.id}/reviews`)
  await call(first, `DELETE /products/${item?.id}`)
  const snapshot = first.state?.snapshot() ?? {}
  expect(Object.keys(snapshot)).toEqual(['/products'])
  first.state?.load({ ...snapshot, '/products': [item] })
  await first.close()
  const second = await startShop({ stateFile })
  expect(second.state?.snapshot()).toEqual({ '/products': [item] })
})

test('a file that something else has written, or that is in use, is an error in one line', async () => {
  const [foreign, text, used] = [newFile(), newFile(), newFile()]
  const database = new DatabaseSync(foreign)
  database.exec('CREATE TABLE notes (text TEXT)')
  database.close()
  writeFileSync(text, 'these are notes, and no database at all')
  await startShop({ stateFile: used })
  const problemWith = async (stateFile: string): Promise<string> => {
    const error: unknown = await startShop({ stateFile }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OptionError)
    return (error as Error).message
  }
  expect(await problemWith(foreign)).toBe(
    `the state ${foreign} is the database of another program: give a new file`,
  )
  expect(await problemWith(text)).toBe(`the state ${text} cannot be opened: file is not a database`)
  expect(await problemWith(used)).toBe(
    `the state ${used} is in use by another mock: give each a file of its own`,
  )
  expect(await problemWith(join(used, 'no', 'folder'))).toMatch(/^the state .* cannot be opened: /)
  // The foreign database is as it was.
  expect(new DatabaseSync(foreign).prepare('SELECT name FROM sqlite_schema').all()).toEqual([
    { name: 'notes' },
  ])
})
