import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect } from 'vitest'

// The rules that depend on colours; all others look at the document, which is the same in both themes.
const colourRules = ['color-contrast', 'link-in-text-block']

/** Expects axe to find nothing on a page: by all rules in the theme that it shows, by those of colours in the dark one. */
export const expectAccessible = async (page: Page, themes: 'light' | 'light and dark'): Promise<void> => {
  await expectNothing(page, {})
  if (themes === 'light') return
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothing(page, { runOnly: { type: 'rule', values: colourRules } })
}

const expectNothing = async (page: Page, options: Parameters<AxeBuilder['options']>[0]): Promise<void> => {
  // Much faster than by default: legacy mode opens no second page, and rules that pass keep no details.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...options })
    .analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
  ).toEqual([])
}
