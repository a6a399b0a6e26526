/** The front door: what users can import, name by name. A change of the list is a change for users, and needs a line in the CHANGELOG. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import pkg from '../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const mostNames = 30

const entries = Object.entries(pkg.exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [{ name, file: target.default.replace('./dist/', '').replace(/\.js$/, '.ts') }],
)

/** The names that a module exports; throws if it exports all of another one. */
const exportsOf = (file: string): readonly string[] => {
  const names: string[] = []
  const { program } = parseSync(file, readFileSync(`${root}${file}`, 'utf8'))
  new Visitor({
    ExportAllDeclaration: () => {
      throw new Error(`${file} exports everything of another module`)
    },
    ExportSpecifier: ({ exported }) => {
      names.push('name' in exported ? exported.name : exported.value)
    },
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type === 'VariableDeclaration')
        for (const { id } of declaration.declarations) if (id.type === 'Identifier') names.push(id.name)
      if (declaration?.type === 'TSTypeAliasDeclaration') names.push(declaration.id.name)
    },
  }).visit(program)
  return names.toSorted()
}

test.each(entries)('$name has at most thirty names, and a sentence on what it is for', ({ file }) => {
  expect(existsSync(`${root}${file}`)).toBe(true)
  expect(exportsOf(file).length).toBeLessThanOrEqual(mostNames)
  expect(exportsOf(file).length).toBeGreaterThan(0)
})

test('the names of all entries', async () => {
  const text = entries.map(
    ({ name, file }) =>
      `${name}\n${exportsOf(file)
        .map(each => `  ${each}\n`)
        .join('')}`,
  )
  await expect(text.join('\n')).toMatchFileSnapshot('golden/entries.txt')
})
