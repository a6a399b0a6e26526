/** What a newcomer sees of a server with five faults: the picture of the README is taken of it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { reports } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { fiveFaults } from '../broken-servers/five-faults.ts'
import { startServer } from '../broken-servers/index.ts'
import { launchBrowser } from '../browser.ts'
import { emptyFolder } from '../folder.ts'

let browser: Browser
let ledger: Ledger
const file = join(emptyFolder(), 'report.html')

beforeAll(async () => {
  const server = await startServer(fiveFaults)
  try {
    ledger = await verify({ target: server.url, token: server.token, seed: 7 })
  } finally {
    await server.close()
  }
  writeFileSync(file, reports.html.write(ledger))
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

test('a server with five faults has five findings, each of its own kind', () => {
  expect(ledger.findings.map(({ obligation }) => obligation).sort()).toEqual([
    'createPlant/auth/absent',
    'createPlant/request/body/id/type/numeral',
    'createPlant/request/body/json/truncated',
    'createPlant/response/200/body/tag/type',
    'createPlant/response/400/body/error/type',
  ])
})

test.each(['light', 'dark'] as const)(
  'its report shows each with wanted, got, the contract, the case, and how to see it again: %s',
  async colorScheme => {
    const context = await browser.newContext({ colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(pathToFileURL(file).href)
    expect(await page.locator('h1').textContent()).toContain('Not conformant')
    const findings = page.locator('.finding')
    expect(await findings.count()).toBe(5)
    for (const finding of await findings.all())
      for (const heading of ['Wanted', 'Got', 'What the contract says', 'The smallest case', 'See it again'])
        expect(await finding.getByRole('heading', { name: heading }).isVisible()).toBe(true)
    expect(await page.locator('table.answers .statuses').textContent()).toMatch(
      /200 × [\s\S]*400 × [\s\S]*500 × /,
    )
    expect(await page.locator('.clause-row').count()).toBe(ledger.start.clauses?.length)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`)).toEqual([])
    await context.close()
  },
  60_000,
)
