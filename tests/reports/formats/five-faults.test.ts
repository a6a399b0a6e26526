/** What a newcomer sees for a server with five faults; the README shows a screenshot of it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { reports } from '../../../reports/index.ts'
import { type Ledger, safeText } from '../../../spec/index.ts'
import { fiveFaults } from '../../broken-servers/five-faults.ts'
import { startServer } from '../../broken-servers/index.ts'
import { launchBrowser } from '../../browser.ts'
import { emptyFolder } from '../../folder.ts'
import { expectAccessible } from '../axe.ts'

let browser: Browser
let ledger: Ledger
let page: Page

const runOnce = async (): Promise<Ledger> => {
  const server = await startServer(fiveFaults)
  try {
    return await verify({ target: server.url, token: server.token, seed: 7, cases: 600, sustained: 0 })
  } finally {
    await server.close()
  }
}

beforeAll(async () => {
  ;[ledger, browser] = await Promise.all([runOnce(), launchBrowser()])
  const file = join(emptyFolder(), 'report.html')
  writeFileSync(file, reports.html.write(ledger))
  // axe needs what the page's policy forbids.
  page = await browser.newPage({ bypassCSP: true, reducedMotion: 'reduce', colorScheme: 'light' })
  await page.goto(pathToFileURL(file).href)
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

test('each is titled by what went wrong, not by its requirement', () => {
  for (const { title, obligation } of ledger.findings) {
    expect(title).toMatch(/^(accepted|rejected|answered|did not|closed|returned) /)
    expect(title).not.toContain(requirementOf(obligation))
  }
})

test('terminal and SARIF title each finding by what went wrong, with the requirement below', () => {
  const text = reports.terminal.write(ledger)
  const [run] = JSON.parse(reports.sarif.write(ledger)).runs as [
    { results: { ruleId: string; message: { text: string } }[] },
  ]
  for (const { title, obligation } of ledger.findings) {
    const below = `requirement  ${safeText(requirementOf(obligation))}\n`
    expect(text).toContain(`\n  ✗ ${safeText(title)}\n    ${below}`)
    const message = run.results.find(({ ruleId }) => ruleId === obligation)?.message.text
    expect(message?.replaceAll(/\\([\\[\]])/g, '$1')).toContain(`${safeText(title)}.\n${below}`)
  }
})

const requirementOf = (id: string): string =>
  ledger.start.obligations.find(obligation => obligation.id === id)?.requirement ?? 'unknown'

test('its page shows each finding with its title, requirement, contract, case, and how to reproduce it', async () => {
  expect(await page.locator('h1').textContent()).toContain('Not conformant')
  const findings = page.locator('.finding')
  expect(await findings.count()).toBe(5)
  for (const [index, { title, obligation }] of ledger.findings.entries()) {
    const finding = findings.nth(index)
    expect(await finding.locator('h3').textContent()).toBe(title.replaceAll('`', ''))
    expect(await finding.locator('.requirement').textContent()).toBe(
      `Requirement: ${requirementOf(obligation).replaceAll('`', '')}`,
    )
    for (const heading of ['Expected', 'Actual', 'Contract', 'Smallest test case', 'Reproduce'])
      expect(await finding.getByRole('heading', { name: heading }).isVisible()).toBe(true)
  }
  expect(await page.locator('table.responses .statuses').textContent()).toMatch(
    /200 × [\s\S]*400 × [\s\S]*500 × /,
  )
  expect(await page.locator('.clause-row').count()).toBe(ledger.start.clauses?.length)
})

test('axe finds nothing on its page, in light and in dark', async () => {
  await expectAccessible(page, 'light and dark')
}, 120_000)
