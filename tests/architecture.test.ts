/** docs/architecture.md walks through the code, file by file; this follows the walks through the imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

const importedBy = (file: string): readonly string[] =>
  importsOf(readFileSync(join(root, file), 'utf8'))
    .filter(name => name.startsWith('.'))
    .map(name => normalize(join(dirname(file), name)))

/** The files that a file can use: its imports and, through the index of another room, what that exports. */
const reachableFrom = (file: string): readonly string[] =>
  importedBy(file).flatMap(imported =>
    /^\w[\w-]*\/index\.ts$/.test(imported) ? [imported, ...importedBy(imported)] : [imported],
  )

/** The files of a walk, in the order in which the page first names them. */
const walk = (name: string): readonly string[] => {
  const [, text = ''] = page.split(`<!-- walk: ${name} -->`)
  const [section = ''] = text.split('\n## ')
  return [...new Set([...section.matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)].map(([, file = '']) => file))]
}

describe.each([
  ['case', 30],
  ['request', 15],
])('the walk of a %s', (name, atLeast) => {
  const files = walk(name)

  test('names enough files, and all of them exist', () => {
    expect(files.length).toBeGreaterThanOrEqual(atLeast)
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
  })

  test('goes only from files to those that they import', () => {
    const unreached = files
      .slice(1)
      .filter(
        (file, index) => !files.slice(0, index + 1).some(before => reachableFrom(before).includes(file)),
      )
    expect(unreached).toEqual([])
  })
})

test('the page has at most 80 lines before its recipes, and names only files that exist or are new in one', () => {
  const [walks = '', recipes = ''] = page.split('\n## Recipes\n')
  expect(walks.split('\n').length).toBeLessThanOrEqual(80)
  const added = ['reports/formats/tap.ts', 'spec/obligations/inputs/dpop.ts']
  const named = [...recipes.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.ts)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(file => !existsSync(join(root, file)))).toEqual(added)
})
