import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { expectAccessible } from '../axe.ts'
import { runs } from '../runs.ts'

const digest = 'ab'.repeat(32)
const write = reports.record.write

test('it says that it is not a certification, and how to check it', () => {
  const page = write(foldLedger(runs.conformant), digest)
  expect(page).toContain('<title>Test record · CONFORMANT (16 of 16 MUST passed) · Plant Store 1.0.0</title>')
  expect(page).toContain('This is a test record, not a certification.')
  expect(page).toContain(digest)
  expect(page).toContain('plantstore report ledger.ndjson --format record')
})

test('it shows a digest only if it gets that of the ledger file', () => {
  const page = write(foldLedger(runs.conformant))
  expect(page).not.toContain('Ledger digest')
  expect(page).not.toContain('undefined')
})

test('failures in the baseline are listed', () => {
  const events = runs.fiveFailures.map(event =>
    event.type === 'verdict' && event.verdict.kind === 'failed'
      ? { ...event, verdict: { ...event.verdict, kind: 'baselined' as const, since: '2026-10-01' } }
      : event,
  )
  const page = write(foldLedger(events), digest)
  expect(page).toContain('in the baseline since 2026-10-01')
  expect(page).not.toContain('no failure was accepted')
})

test('a run that was cut off says so, and has no request digest', () => {
  const page = write(foldLedger(runs.cutOff), digest)
  expect(page).toContain('<b>Incomplete run:</b>')
  expect(page).toContain('none: the run was cut off')
})

test.each(['conformant', 'fiveFailures', 'partial', 'baselined', 'inconclusive', 'cutOff'] as const)(
  'what was not tested in the run %s stands before everything but the verdict',
  name => {
    const headings = [...write(foldLedger(runs[name]), digest).matchAll(/<h2>(.*?)<\/h2>/g)].map(
      ([, text]) => text,
    )
    expect(headings[0]).toMatch(/^(Not tested|Inconclusive|Not tested or inconclusive)$/)
  },
)

test('what was not tested is counted by family', () => {
  expect(write(foldLedger(runs.partial), digest)).toMatch(
    /<b>\d+ requirements?<\/b> \((accept|reject|auth) \d+[^)]*\): /,
  )
})

test('no two verdicts have the same colour', () => {
  const page = write(foldLedger(runs.conformant), digest)
  const tones = ['conformant', 'accepted', 'outdated', 'nonconformant', 'partial', 'inconclusive'].map(
    name => new RegExp(`\\.${name}\\{--tone:var\\(([^)]*)\\)`, 'g').exec(page)?.[1],
  )
  expect(tones).not.toContain(undefined)
  expect(new Set(tones).size).toBe(tones.length)
})

describe('on paper', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage({ bypassCSP: true })
    await page.emulateMedia({ media: 'print' })
  }, 600_000)
  afterAll(async () => {
    await browser?.close()
  })

  test.each(['hostile', 'waived', 'fiveFailures', 'inconclusive', 'partial', 'baselined'] as const)(
    'the record of the run %s is no wider than A4 and Letter, and axe finds nothing',
    async name => {
      await page.setContent(write(foldLedger(runs[name]), digest))
      // 210 mm and 8.5 in, less twice 15 mm, in CSS pixels.
      for (const width of [680, 702]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      await expectAccessible(page, 'light')
    },
    120_000,
  )
})
