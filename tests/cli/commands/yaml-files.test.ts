/** A file that somebody else has written costs little time and memory, and one line says what is wrong with it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, plantstore } from '../command.ts'

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const lists = many(9, index => `a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join(',')}]`)

test.each([
  ['aliases of aliases', `a0: &a0 [1]\n${lists}`, 'Excessive alias count'],
  [
    'aliases of a long text',
    `a: &a "${'x'.repeat(1e6)}"\nb: [${Array(90).fill('*a').join(',')}]`,
    'its aliases expand to more than 64 MiB',
  ],
  ['many aliases', `a: &a [x]\n${many(6000, () => '- *a')}`.replace('a: ', '- '), 'more than 5000 aliases'],
  ['an alias of what it is in', 'a: &a [*a]', 'nested more than 500 levels deep'],
  ['open brackets', '['.repeat(1e5), 'nested more than 500 levels deep'],
  ['600 levels', '['.repeat(600) + ']'.repeat(600), 'nested more than 500 levels deep'],
  ['a million values', '- a\n'.repeat(1e6), 'more than 250000 values'],
  ['9 MB', `"${'x'.repeat(9e6)}"`, 'larger than 8 MiB'],
  ['a key twice', 'a: 1\nb: 2\na: 3', 'line 3: the key "a" is used twice'],
])('%s in a file of the gate: one line, and exit code 2', async (_name, text, reason) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'a.yaml'), text)
  for (const flag of ['--waivers', '--baseline', '--pins', '--config']) {
    const { code, stderr } = await plantstore(['verify', 'embedded-mock', flag, 'a.yaml'], { cwd })
    expect(stderr).toMatch(
      /^plantstore: the (?:waivers|baseline|pins|configuration) in a\.yaml cannot be read: [^\n]+\n$/,
    )
    expect(stderr).toContain(reason)
    expect(code).toBe(2)
  }
})

test('a device without end is not read to its end', async () => {
  const { code, stderr } = await plantstore(['verify', 'embedded-mock', '--waivers', '/dev/zero'])
  expect(stderr).toBe('plantstore: the waivers in /dev/zero cannot be read: it is larger than 8 MiB\n')
  expect(code).toBe(2)
})
