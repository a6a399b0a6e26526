/** Every command and flag that README and manual show exists, so that an example can be copied. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anyFormats } from '../cli/options/output-flags.ts'
import { createProgram } from '../cli/program.ts'
import { pages } from '../scripts/prose.ts'

const program = createProgram(() => {})

const read = (page: string): string => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')

type Used = { readonly page: string; readonly words: readonly string[] }

/** The words of each command line that begins with `plantstore`, in blocks of code and in text. */
const commandsIn = (page: string): readonly Used[] => {
  const text = read(page).replaceAll('\\\n', ' ')
  const blocks = [...text.matchAll(/^ *```(?:sh|yaml|groovy)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, code = '']) => code.split('\n'),
  )
  const spans = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
  return [...blocks, ...spans].flatMap(line => {
    const [, command] = /(?:^|[ (/'])plantstore ((?:[a-z]+\b).*)/.exec(line.replace(/ #.*$/, '')) ?? []
    // What other programs do with it is theirs.
    return command === undefined
      ? []
      : [{ page, words: (command.split(/[|;&)>]/)[0] ?? '').trim().split(/\s+/) }]
  })
}

const used = pages().flatMap(commandsIn)

test('every command exists', () => {
  expect(used.length).toBeGreaterThan(120)
  const known = program.commands.map(command => command.name())
  for (const { page, words } of used) expect(known, `${page}: ${words.join(' ')}`).toContain(words[0])
})

/** Flags of other programs that the pages name. */
const ofOthers = [
  ...['--grep', '--reporter', '--max-examples', '--include-operation-id', '--exclude-path'],
  ...['--ignore-scripts', '--write', '--services', '--seconds'],
]

test('every flag is one of its command', () => {
  for (const { page, words } of used) {
    // `config verify --cases 50` shows what `verify` would do with these flags.
    const [name, next] = words[0] === 'config' ? words.slice(1) : words
    const command = program.commands.find(each => each.name() === name)
    const inner = command?.commands.find(each => each.name() === next) ?? command
    const known = ['--help', ...(inner?.options ?? []).flatMap(({ short, long }) => [short, long])]
    for (const word of words.filter(each => /^--[a-z]/.test(each)))
      expect(known, `${page}: ${words.join(' ')}`).toContain(word)
  }
})

test('every flag that a page of the manual names exists', () => {
  const options = program.commands.flatMap(command =>
    [command, ...command.commands].flatMap(each => each.options.flatMap(({ short, long }) => [short, long])),
  )
  const known = [...options, '--help', '--version', ...ofOthers]
  const named = pages()
    .filter(page => page.startsWith('docs/'))
    .flatMap(page =>
      [...read(page).matchAll(/`(--[a-z][a-z0-9-]*)/g)].map(([, flag = '']) => ({ page, flag })),
    )
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter(({ flag }) => !known.includes(flag))).toEqual([])
})

test('every report format exists', () => {
  const formats = used.flatMap(({ words }) =>
    words.flatMap((word, index) =>
      word === '--report' && words[0] === 'verify' ? (words[index + 1] ?? '').split(',') : [],
    ),
  )
  expect(formats.length).toBeGreaterThan(8)
  for (const format of formats.filter(name => /^[a-z-]{3,}$/.test(name)))
    expect([...anyFormats, 'all']).toContain(format)
})
