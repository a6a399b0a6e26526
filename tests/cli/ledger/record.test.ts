import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeEvent } from '../../../reports/index.ts'
import { launchOptions } from '../../browser.ts'
import { runs } from '../../reports/runs.ts'
import { emptyFolder, plantstore, type Ran } from '../command.ts'

let browser = ''
beforeAll(async () => {
  browser = (await launchOptions()).executablePath
}, 600_000)

const ledger = runs.fiveFailures.map(writeEvent).join('')
const digest = createHash('sha256').update(ledger).digest('hex')

const folderWithLedger = (): string => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'ledger.ndjson'), ledger)
  return cwd
}

const record = (cwd: string, browserFile: string, ...args: readonly string[]): Promise<Ran> =>
  plantstore(['report', 'ledger.ndjson', '--format', 'record', ...args], {
    cwd,
    env: { PLANTSTORE_BROWSER: browserFile },
  })

// The run has failures: writing its record exits with 1, as every report does.
describe('report --format record', () => {
  test.each([
    ['A4', /\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12]/],
    ['Letter', /\/MediaBox \[0 0 612 792\]/],
  ] as const)('writes a PDF on %s', async (paper, box) => {
    const cwd = folderWithLedger()
    const run = await record(cwd, browser, '--out', 'record.pdf', '--paper', paper)
    expect(run).toEqual({ code: 1, stdout: 'written: record.pdf\n', stderr: '' })
    const pdf = readFileSync(join(cwd, 'record.pdf'), 'latin1')
    expect(pdf.slice(0, 5)).toBe('%PDF-')
    expect(pdf).toMatch(box)
    expect(pdf).toContain('/StructTreeRoot')
  })

  test('writes the page as HTML, and prints the same without --out', async () => {
    const cwd = folderWithLedger()
    const [written, printed] = await Promise.all([
      record(cwd, '/no/such/browser', '--out', 'record.html'),
      record(cwd, '/no/such/browser'),
    ])
    expect(written).toEqual({ code: 1, stdout: 'written: record.html\n', stderr: '' })
    const page = readFileSync(join(cwd, 'record.html'), 'utf8')
    expect(page).toContain(digest)
    expect(page).toContain('This is a test record, not a certification.')
    expect(printed).toEqual({ code: 1, stdout: page, stderr: '' })
  })

  test('writes HTML instead of a PDF if the browser does not exist', async () => {
    const cwd = folderWithLedger()
    const run = await record(cwd, '/no/such/browser', '--out', 'record.pdf')
    expect(run).toEqual({
      code: 1,
      stdout: 'written: record.html\n',
      stderr:
        'this is HTML, not PDF, because PLANTSTORE_BROWSER names a browser that does not exist: /no/such/browser; print it with any browser\n',
    })
    const page = readFileSync(join(cwd, 'record.html'), 'utf8')
    expect(page).toContain(digest)
    expect(page).toContain('This is a test record, not a certification.')
    expect(existsSync(join(cwd, 'record.pdf'))).toBe(false)
  })

  test('writes HTML instead of a PDF if the browser does not start', async () => {
    const { code, stdout, stderr } = await record(folderWithLedger(), process.execPath, '--out', 'record.pdf')
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'written: record.html\n' })
    expect(stderr).toMatch(
      /^this is HTML, not PDF, because the browser .* failed \(.*\); print it with any browser\n$/,
    )
  })
})
