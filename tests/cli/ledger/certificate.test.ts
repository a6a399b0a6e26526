import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeEvent } from '../../../reports/index.ts'
import { launchOptions } from '../../browser.ts'
import { runs } from '../../reports/runs.ts'
import { emptyFolder, plantstore } from '../command.ts'

let browser = ''
beforeAll(async () => {
  browser = (await launchOptions()).executablePath
}, 600_000)

const ledger = runs.fiveFailures.map(writeEvent).join('')
const digest = createHash('sha256').update(ledger).digest('hex')

const folderWith = (): string => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'ledger.ndjson'), ledger)
  return cwd
}

describe('certificate', () => {
  test.each([
    ['A4', /\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12]/],
    ['Letter', /\/MediaBox \[0 0 612 792\]/],
  ] as const)(
    'writes a PDF on %s',
    async (paper, box) => {
      const cwd = folderWith()
      const args = ['certificate', 'ledger.ndjson', '--out', 'record.pdf', '--paper', paper]
      const { code, stdout, stderr } = await plantstore(args, { cwd, env: { PLANTSTORE_BROWSER: browser } })
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'written: record.pdf\n', stderr: '' })
      const pdf = readFileSync(join(cwd, 'record.pdf'), 'latin1')
      expect(pdf.slice(0, 5)).toBe('%PDF-')
      expect(pdf).toMatch(box)
      expect(pdf).toContain('/StructTreeRoot')
    },
    60_000,
  )

  test('writes HTML where the browser is not there, and says how to come to a PDF', async () => {
    const cwd = folderWith()
    const { code, stdout, stderr } = await plantstore(['certificate', 'ledger.ndjson'], {
      cwd,
      env: { PLANTSTORE_BROWSER: '/no/such/browser' },
    })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'written: plantstore-certificate.html\n',
      stderr:
        'it is HTML and no PDF, as PLANTSTORE_BROWSER names a browser that is not there: /no/such/browser; any browser prints it\n',
    })
    const page = readFileSync(join(cwd, 'plantstore-certificate.html'), 'utf8')
    expect(page).toContain(digest)
    expect(page).toContain('This is a test record, not a certification.')
    expect(existsSync(join(cwd, 'plantstore-certificate.pdf'))).toBe(false)
  })

  test('writes HTML where the browser does not start', async () => {
    const cwd = folderWith()
    const env = { PLANTSTORE_BROWSER: process.execPath }
    const { code, stdout, stderr } = await plantstore(['certificate', 'ledger.ndjson'], { cwd, env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'written: plantstore-certificate.html\n' })
    expect(stderr).toMatch(
      /^it is HTML and no PDF, as the browser .* failed \(.*\); any browser prints it\n$/,
    )
  }, 60_000)
})
