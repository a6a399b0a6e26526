/** The console of a proxy offers what a proxy does. */
import { expect, test } from 'vitest'
import { storeWith } from '../../../cli/servers.ts'
import { postPlant, send } from '../../client.ts'
import { startProxy } from '../../proxy/through.ts'
import { rowsOf, textOf, useBrowser } from './open-console.ts'

const open = useBrowser()

test.each([
  [false, ['Traffic', 'Contract', 'Coverage']],
  [true, ['Traffic', 'Scenarios', 'Contract', 'Coverage']],
])(
  'it calls itself a proxy, and has scenarios only if it answers itself (%s)',
  async (mockMissing, panels) => {
    const store = await storeWith({})
    try {
      const proxy = await startProxy(store.url, { mockMissing })
      await send(proxy, postPlant('{"id":1,"name":"Fern"}', { Authorization: `Bearer ${store.token}` }))
      const { page, problems } = await open(proxy)
      await rowsOf(page).first().waitFor()
      expect(await page.title()).toBe('Traffic · Plant Store proxy')
      expect(await textOf(page.getByRole('heading', { level: 1 }))).toMatch(/^Plant Store .* proxy$/)
      expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(panels)
      // The details of the first exchange come after its row.
      await page.getByRole('button', { name: mockMissing ? 'Pin answer' : 'Edit and send again' }).waitFor()
      expect(await page.getByRole('button', { name: 'Pin answer' }).count()).toBe(Number(mockMissing))
      await page.getByRole('link', { name: 'Contract' }).click()
      await page.getByText('must be one that the server accepts').waitFor()
      expect(problems).toEqual([])
    } finally {
      await store.close()
    }
  },
)
