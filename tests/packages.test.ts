/** Each package does its work: if what uses it throws, the operation that docs/packages.md names fails. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { launchOptions } from './browser.ts'

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The result of an operation in a process of its own, in which the use of a package throws. */
const resultOf = async (operation: string, without = ''): Promise<unknown> => {
  const preload = ['--import', pathOf('package-use/without.ts')]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...(without === '' ? [] : preload), pathOf('package-use/operations.ts'), operation],
    { env: { ...process.env, WITHOUT: without } },
  )
  return JSON.parse(stdout)
}

const uses: readonly (readonly [name: string, result: unknown, otherwise: unknown])[] = [
  ['ajv', ['maxLength'], { thrown: 'used without ajv' }],
  ['ajv-formats', ['format'], { thrown: 'used without ajv-formats' }],
  ['@apidevtools/swagger-parser', 2, { thrown: 'used without @apidevtools/swagger-parser' }],
  // The mock answers without it as well, by the generator, with what the schema requires.
  ['@stoplight/prism-http', true, false],
  ['fast-check', true, { thrown: 'used without fast-check' }],
  ['playwright', { pdf: true }, { reason: 'used without playwright' }],
]

describe.concurrent.each(uses)('%s', (name, result, otherwise) => {
  test('works', async () => {
    // A browser is installed if there is none.
    if (name === 'playwright') await launchOptions()
    expect(await resultOf(name)).toEqual(result)
  }, 60_000)

  test('is needed', async () => {
    expect(await resultOf(name, name)).toEqual(otherwise)
  }, 60_000)
})

test('docs/packages.md has a section for each, and at most 700 words', () => {
  const page = readFileSync(pathOf('../docs/packages.md'), 'utf8')
  const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title.replaceAll('`', ''))
  expect(sections).toEqual(expect.arrayContaining(uses.map(([name]) => name)))
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(700)
})
