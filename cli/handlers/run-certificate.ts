import { writeFileSync } from 'node:fs'
import { reports, sha256 } from '../../reports/index.ts'
import { foldLedger } from '../../spec/index.ts'
import { ledgerBytes } from '../inputs/ledger.ts'
import { print, say } from '../outputs/terminal.ts'
import { browserFlags, findBrowser, noBrowser } from '../process/browser.ts'
import { exitCodes, UsageError } from '../process/exit.ts'

export type CertificateFlags = { readonly out: string; readonly paper: 'A4' | 'Letter' }

export const runCertificate = async (file: string, { out, paper }: CertificateFlags): Promise<number> => {
  const { bytes, events } = ledgerBytes(file)
  const digest = sha256(bytes)
  const page = reports.record.write(foldLedger(events), digest)
  if (/\.html?$/i.test(out)) write(out, page)
  else {
    const made = await pdfOf(page, digest, paper)
    if (made instanceof Uint8Array) write(out, made)
    else {
      const instead = `${out.replace(/\.pdf$/i, '')}.html`
      write(instead, page)
      say(`it is HTML and no PDF, as ${made.reason}; any browser prints it`)
    }
  }
  return exitCodes.conforms
}

const pdfOf = async (
  page: string,
  digest: string,
  format: CertificateFlags['paper'],
): Promise<Uint8Array | { readonly reason: string }> => {
  const playwright = await import('playwright').catch(() => null)
  if (playwright === null)
    return { reason: 'the package playwright is not there: `npm install --save-dev playwright` brings it' }
  let executablePath: string | null
  try {
    executablePath = findBrowser(playwright.chromium.executablePath())
  } catch (error) {
    return { reason: (error as Error).message }
  }
  if (executablePath === null) return { reason: noBrowser }
  try {
    const browser = await playwright.chromium.launch({ executablePath, args: [...browserFlags] })
    try {
      const tab = await browser.newPage({ javaScriptEnabled: false, offline: true })
      await tab.setContent(page)
      return await tab.pdf({
        format,
        tagged: true,
        outline: true,
        printBackground: true,
        // The margins are those of the page's own style sheet; the browser writes into the lowest.
        preferCSSPageSize: false,
        displayHeaderFooter: true,
        headerTemplate: '<span></span>',
        footerTemplate: footer(digest),
        margin: { top: '16mm', right: '15mm', bottom: '18mm', left: '15mm' },
      })
    } finally {
      await browser.close()
    }
  } catch (error) {
    return { reason: `the browser ${executablePath} failed (${(error as Error).message.split('\n')[0]})` }
  }
}

const footer = (digest: string): string =>
  `<div style="width:100%;margin:0 15mm;display:flex;justify-content:space-between;font:7pt system-ui,sans-serif;color:#55605a"><span>Test record, no certification · ledger ${digest}</span><span><span class="pageNumber"></span> of <span class="totalPages"></span></span></div>`

const write = (file: string, content: string | Uint8Array): void => {
  try {
    writeFileSync(file, content)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --out`,
    )
  }
  print(`written: ${file}`)
}
