import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folders, reports } from '../reports/index.ts'
import { outputs, pagesWithOutputs, withOutputs } from '../scripts/doc-outputs.ts'
import { frameworksPage } from '../scripts/frameworks-page.ts'
import { killMatrix, killMatrixPage } from '../scripts/kill-matrix-page.ts'
import { pages } from '../scripts/prose.ts'
import { obligationsPage } from '../scripts/write-docs.ts'

const page = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

test('docs/obligations.md is a sample of today’s obligations (npm run docs writes it)', () => {
  expect(page('docs/obligations.md')).toBe(obligationsPage())
})

test('docs/kill-matrix.md is a sample of the matrix (npm run docs writes it)', () => {
  expect(page('docs/kill-matrix.md')).toBe(killMatrixPage(readFileSync(killMatrix, 'utf8')))
})

test('docs/frameworks.md is the list of what was judged (npm run docs writes it)', () => {
  expect(page('docs/frameworks.md')).toBe(frameworksPage())
})

test('every error code of the mock is in docs/mock.md', async () => {
  const { errorCodes } = await import('../spec/index.ts')
  for (const code of Object.values(errorCodes))
    expect(page('docs/mock.md')).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
})

test('every report format is in docs/reports.md, with its file', () => {
  const files = [
    ...Object.entries(reports).map(([name, { file }]) => [name, file]),
    ...Object.entries(folders).map(([name, { folder }]) => [name, `${folder}/`]),
  ]
  for (const [name, file] of files) expect(page('docs/reports.md')).toContain(`| \`${name}\` | \`${file}\` |`)
})

test('every output that the pages show is what the code prints today (npm run docs writes them)', async () => {
  const shown = pagesWithOutputs.flatMap(name =>
    [...page(name).matchAll(/<!-- output: ([\w-]+) -->/g)].map(([, output]) => output),
  )
  expect(shown.sort()).toEqual(Object.keys(outputs).sort())
  for (const name of pagesWithOutputs) expect(page(name)).toBe(await withOutputs(page(name)))
})

test('the README has at most 120 lines', () => {
  expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})

/** The fragment by which a heading is linked, as GitHub makes it. */
const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const headingsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => fragmentOf(heading))

test('every link of every page leads to a file, and to a heading if it names one', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const links = pages().flatMap(name =>
    [...page(name).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => ({ name, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )
  expect(links.length).toBeGreaterThan(100)
  const dead = links.filter(({ name, target }) => {
    const [path = '', fragment] = target.split('#')
    const file = path === '' ? join(root, name) : join(root, dirname(name), path)
    return !existsSync(file) || (fragment !== undefined && !headingsOf(file).includes(fragment))
  })
  expect(dead).toEqual([])
})
