import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folders, reports } from '../reports/index.ts'
import { obligationsPage } from '../scripts/write-docs.ts'

const page = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

test('docs/obligations.md is what the contract promises today (npm run docs writes it)', () => {
  expect(page('docs/obligations.md')).toBe(obligationsPage())
})

test('every code that the mock gives is in docs/mock.md', async () => {
  const { errorCodes } = await import('../spec/index.ts')
  for (const code of Object.values(errorCodes))
    expect(page('docs/mock.md')).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
})

test('every report format is in docs/reports.md, with the file that it is written to', () => {
  const files = [
    ...Object.entries(reports).map(([name, { file }]) => [name, file]),
    ...Object.entries(folders).map(([name, { folder }]) => [name, `${folder}/`]),
  ]
  for (const [name, file] of files) expect(page('docs/reports.md')).toContain(`| \`${name}\` | \`${file}\` |`)
})

test('every link of the README leads to a file', () => {
  const links = [...page('README.md').matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(5)
  for (const link of links.filter(path => !path.endsWith('/'))) expect(page(link).length).toBeGreaterThan(0)
})
