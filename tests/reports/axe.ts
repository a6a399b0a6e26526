import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect } from 'vitest'

type Options = Parameters<AxeBuilder['options']>[0]
type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

// The rules that depend on colours; all others look at the document, which is the same in both themes.
const colourRules = ['color-contrast', 'link-in-text-block']

/** Expects axe to find nothing on a page: by all rules in the theme that it shows, by those of colours in the dark one. */
export const expectAccessible = async (page: Page, themes: 'light' | 'light and dark'): Promise<void> => {
  expect(await violationsOn(page)).toEqual([])
  if (themes === 'light') return
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOn(page, { runOnly: { type: 'rule', values: colourRules } })).toEqual([])
}

/** What axe finds on a page as it is now, without frames, which none of ours has. */
export const violationsOn = async (page: Page, options: Options = {}): Promise<readonly string[]> => {
  // Rules that pass keep no details, which takes much less time.
  const all: Options = { resultTypes: ['violations'], ...options }
  const violations = (await page.evaluate<boolean>('"axe" in window'))
    ? await page.evaluate<readonly Violation[]>(
        `axe.run(document, ${JSON.stringify(all)}).then(({ violations }) => violations)`,
      )
    : await inject(page, all)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  )
}

/**
 * Puts axe into the document, and lets it look for the first time. To put it in again would take longer than to look. In legacy
 * mode it opens no second page.
 */
const inject = async (page: Page, options: Options): Promise<readonly Violation[]> =>
  (await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze()).violations
