import { browserFlags, findBrowser, noBrowser } from '../process/browser.ts'

export type Paper = 'A4' | 'Letter'

/** Prints the HTML of a test record as PDF; gives the reason if that is not possible. `digest`: of the ledger. */
export const recordPdf = async (
  page: string,
  digest: string,
  paper: Paper,
): Promise<Uint8Array | { readonly reason: string }> => {
  const playwright = await import('playwright').catch(() => null)
  if (playwright === null)
    return { reason: 'the package playwright is not installed (npm install --save-dev playwright)' }
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
        format: paper,
        tagged: true,
        outline: true,
        printBackground: true,
        // The page's style sheet sets the same margins; the footer is printed into the lowest.
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

// The title says on each page what the run concluded: pages of two records must not be mixed up.
const footer = (digest: string): string =>
  `<div style="width:100%;margin:0 15mm;display:flex;justify-content:space-between;gap:6mm;font:7pt/1.4 system-ui,sans-serif;color:#55605a"><span><span class="title"></span><br>not a certification · ledger ${digest}</span><span><span class="pageNumber"></span> of <span class="totalPages"></span></span></div>`
