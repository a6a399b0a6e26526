import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { verify } from '../conformance/index.ts'
import { createMock } from '../mock/index.ts'
import { reports } from '../reports/index.ts'
import type { Ledger } from '../spec/index.ts'
import { fiveFaults } from '../tests/broken-servers/five-faults.ts'
import { startServer } from '../tests/broken-servers/index.ts'
import { launchBrowser } from '../tests/browser.ts'
import { shopDocument } from '../tests/documents/index.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
const size = { width: 1280, height: 760 }

/** Takes every picture of docs/images: the console with some traffic, and the report of a server with five faults. */
const takeAll = async (): Promise<void> => {
  const browser = await launchBrowser()
  try {
    await takeConsole(browser)
    await takeContract(browser)
    await takeReport(browser)
  } finally {
    await browser.close()
  }
}

const takeConsole = async (browser: Browser): Promise<void> => {
  // The port that the documentation names.
  const mock = await createMock({ port: 4010 })
  const open = async (hash: string, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await newPage(browser, { colorScheme })
    await page.goto(`${mock.url}/__plantstore/${hash}`)
    return page
  }
  try {
    const violating = await sendTraffic(mock.url)
    const traffic = await open(`#request/${violating}`, 'light')
    await traffic.getByRole('heading', { name: '2 violations' }).waitFor()
    await take(traffic, 'console-traffic')

    const coverage = await open('#coverage', 'light')
    await coverage.getByText('auth', { exact: true }).click()
    await coverage.getByText('createPlant/auth/absent', { exact: true }).waitFor()
    await take(coverage, 'console-coverage')
  } finally {
    await mock.close()
  }
}

/** The contract of a document with parameters, tags and descriptions. */
const takeContract = async (browser: Browser): Promise<void> => {
  const mock = await createMock({ contract: shopDocument })
  try {
    const page = await newPage(browser, { colorScheme: 'dark' })
    await page.goto(`${mock.url}/__plantstore/#contract/listProducts`)
    await page.getByRole('combobox', { name: 'category' }).selectOption('spice')
    await page.getByRole('textbox', { name: 'per_page' }).fill('3')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('✓ valid').waitFor()
    await take(page, 'console-contract')
  } finally {
    await mock.close()
  }
}

/** Sends valid and invalid requests; gives the number of the one with two violations. */
const sendTraffic = async (url: string): Promise<number> => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}, path = '/plants') =>
    fetch(url + path, {
      method: 'POST',
      headers: { Authorization: 'Bearer s3cret-token', 'Content-Type': 'application/json', ...headers },
      body,
    })
  await post('{"id":1,"name":"Monstera","tag":"indoor"}')
  await post('{"id":2,"name":"Basil"}')
  await post('{"id":3,"name":"Fern","tag":"shade"}', { 'Plantstore-Client': 'checkout' })
  await post('{"id":4,"name":"Ivy"}', { Authorization: 'Basic czNjcmV0LXRva2Vu' })
  await fetch(`${url}/plants/17?lang=en`)
  await post('{"id":5,"name":"Rose"')
  await post('{"id":9223372036854775807,"name":"Oak"}')
  await post('{"id":"7","tag":"herb"}')
  await post('{"id":8,"name":"Thyme"}', { 'Content-Type': 'text/plain' })
  await post('{"id":9,"name":"Sage"}')
  return 8
}

const takeReport = async (browser: Browser): Promise<void> => {
  const temporary = await mkdtemp(join(tmpdir(), 'plantstore-screenshots-'))
  const file = join(temporary, 'report.html')
  try {
    writeFileSync(file, reports.html.write(await verifyFiveFaults()))
    const page = await newPage(browser, { colorScheme: 'light' })
    await page.goto(pathToFileURL(file).href)
    // Only the second finding stays open, and the picture ends with the last one: the browser has to lay out all of them.
    await page.evaluate(
      `document.querySelectorAll('.finding').forEach((finding, index) => {
        finding.style.contentVisibility = 'visible'
        finding.querySelector('details').open = index === 1
      })`,
    )
    const box = await page.locator('#findings').boundingBox()
    const height = Math.ceil((box?.y ?? 0) + (box?.height ?? size.height) + 16)
    await page.screenshot({
      path: `${folder}report.png`,
      fullPage: true,
      clip: { x: 0, y: 0, width: size.width, height },
    })
  } finally {
    await rm(temporary, { recursive: true })
  }
}

const verifyFiveFaults = async (): Promise<Ledger> => {
  const server = await startServer(fiveFaults)
  try {
    const ledger = await verify({ target: server.url, token: server.token, seed: 7 })
    // The server takes any free port; the picture always shows the same.
    return JSON.parse(JSON.stringify(ledger).replaceAll(new URL(server.url).host, '127.0.0.1:4020')) as Ledger
  } finally {
    await server.close()
  }
}

const newPage = async (browser: Browser, options: BrowserContextOptions): Promise<Page> => {
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', ...options })
  return context.newPage()
}

const take = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: `${folder}${name}.png` })
  await page.context().close()
}

await takeAll()
