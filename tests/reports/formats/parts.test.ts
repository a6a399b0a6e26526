/** What is written of large contracts comes in parts that fit into memory. */

import { expect, test } from 'vitest'
import { ledgerParts, reports } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { many } from './many.ts'

const ledger = foldLedger(many(1300))

const longest = (parts: Iterable<string>): number =>
  [...parts].reduce((most, { length }) => Math.max(most, length), 0)

test.each(['json', 'junit', 'ctrf', 'trace', 'wfc'] as const)(
  'the format %s is written in parts, none of which grows with the contract',
  format => {
    expect(longest(reports[format].parts(ledger))).toBeLessThan(64 * 1024)
  },
)

test('so is the ledger, whose first line lists all requirements', () => {
  expect(longest(ledgerParts(ledger))).toBeLessThan(64 * 1024)
})

test('a page lists no more requirements than a browser can show, says so, and has no link that leads nowhere', () => {
  const text = reports.html.write(ledger)
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  const rows = text.match(/<tr id="operation/g)?.length ?? 0
  expect(rows).toBeGreaterThan(2000)
  expect(text).toContain(`The ${rows.toLocaleString('en')} that say most`)
  expect(links.length).toBeGreaterThan(rows)
  expect(links.filter(id => !ids.has(id))).toEqual([])
  // Nothing that failed gives way.
  expect(text.match(/data-status="failed"/g)).toHaveLength(130)
})
