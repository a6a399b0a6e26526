/** The data panel, in a real browser. */
import { describe, expect, test } from 'vitest'
import type { CollectionSummary } from '../../../../mock/console/messages.ts'
import { plantContract } from '../../../state/plants.ts'
import { send, startMock } from '../../client.ts'
import { eventually, useBrowser } from './open-console.ts'

const openConsole = useBrowser()
const contract = await plantContract()
const plants = [
  { id: 1, name: 'Fern' },
  { id: 2, name: 'Moss' },
]
const start = () => startMock({ contract, seedData: { '/plants': plants } })
const names = async (mock: Awaited<ReturnType<typeof start>>): Promise<readonly string[]> => {
  const { body } = await send(mock, {
    method: 'GET',
    path: '/plants',
    headers: { authorization: 'Bearer t' },
  })
  const { items } = JSON.parse(Buffer.from(body).toString()) as { items: readonly { name: string }[] }
  return items.map(({ name }) => name)
}

describe('the data panel', () => {
  test('shows what the mock keeps, changes it, and resets it', async () => {
    const mock = await start()
    const { page, problems } = await openConsole(mock, '#data')
    await page.getByText('made up when it is first asked for').waitFor()
    expect(await names(mock)).toEqual(['Fern', 'Moss'])
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('2 resources').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const field = page.getByLabel('Resources of /plants')
    await field.waitFor()
    expect(JSON.parse(await field.inputValue())).toEqual(plants)
    await field.fill(JSON.stringify([...plants, { id: 12_345, name: 'Palm' }]))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('3 resources').waitFor()
    expect(await names(mock)).toEqual(['Fern', 'Moss', 'Palm'])
    await page.getByRole('button', { name: 'Reset' }).click()
    await eventually(() => names(mock)).toEqual(['Fern', 'Moss'])
    expect(problems).toEqual([])
  })

  test('says what the contract does not allow, and changes nothing then', async () => {
    const mock = await start()
    await names(mock)
    const { page } = await openConsole(mock, '#data/%2Fplants')
    const field = page.getByLabel('Resources of /plants')
    await field.fill('[{ "id": 1, "name": 5 }]')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await eventually(() => page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringMatching(/^\/plants\[0\]: \/name /),
    ])
    await field.fill('[{')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await eventually(() => page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringContaining('not JSON'),
    ])
    expect(await names(mock)).toEqual(['Fern', 'Moss'])
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await eventually(() => field.inputValue()).toContain('Moss')
  })

  test('is not there if the mock keeps nothing', async () => {
    const mock = await startMock({ contract })
    const { page } = await openConsole(mock)
    await page.getByRole('link', { name: 'Contract' }).waitFor()
    expect(await page.getByRole('link', { name: 'Data' }).count()).toBe(0)
  })
})

describe('the routes of the data panel', () => {
  const call = async (url: string, method = 'GET', body?: string): Promise<readonly [number, string]> => {
    const response = await fetch(url, { method, ...(body === undefined ? {} : { body }) })
    return [response.status, await response.text()]
  }
  test('read and put one collection, and leave the others and every digit as they are', async () => {
    const mock = await start()
    const state = `${mock.url}/__plantstore/state`
    await names(mock)
    const path = `${state}/${encodeURIComponent('/plants')}`
    const exact = '[{"id":7,"name":"Ivy","weight":1.50}]'
    expect((await call(path, 'PUT', exact))[0]).toBe(200)
    expect((await call(path))[1]).toContain('"weight": 1.50')
    const collections = JSON.parse(
      (await call(`${mock.url}/__plantstore/collections`))[1],
    ) as CollectionSummary[]
    expect(collections).toEqual([{ path: '/plants', count: 1 }])
    expect((await call(`${state}/${encodeURIComponent('/plant')}`, 'PUT', '[]'))[0]).toBe(400)
  })
})
