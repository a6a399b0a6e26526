/** What the package tells coding agents: files that are there, and commands that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProgram } from '../cli/program.ts'

const docs = new URL('../docs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8')

test('every link of llms.txt leads to a file beside it', () => {
  const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) expect(existsSync(new URL(link, docs)), link).toBe(true)
})

test('every command and flag that SKILL.md names exists', () => {
  const text = read('skill/SKILL.md')
  const program = createProgram(() => {})
  const used = [...text.matchAll(/plantstore ([a-z]+)([^\n`]*)/g)].filter(([, name]) =>
    program.commands.some(command => command.name() === name),
  )
  expect(new Set(used.map(([, name]) => name))).toEqual(
    new Set(['verify', 'replay', 'lint', 'explain', 'report', 'mock']),
  )
  for (const [, name, rest = ''] of used) {
    const command = program.commands.find(each => each.name() === name)
    for (const [flag] of rest.matchAll(/--[a-z-]+/g))
      if (flag !== '--help')
        expect(
          command?.options.map(({ long }) => long),
          `${name} ${flag}`,
        ).toContain(flag)
  }
  const verify = program.commands.find(each => each.name() === 'verify')
  for (const [, flag] of text.matchAll(/`(--[a-z-]+)/g))
    expect(verify?.options.map(({ long }) => long)).toContain(flag)
})

test('SKILL.md begins with its name and a description of when to use it', () => {
  expect(read('skill/SKILL.md')).toMatch(/^---\nname: plantstore\ndescription: .{50,400}\n---\n/)
})
