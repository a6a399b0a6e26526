/** Flags as a command parses them, and the files that they name. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { emptyFolder } from '../command.ts'

/** The arguments that give an option, and its value. */
export type Given = readonly [args: readonly string[], value: unknown]

export const folder = emptyFolder()
export const fileWith = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
export const pem = (name: string): string =>
  fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url))
export const textOf = (name: string): string => readFileSync(pem(name), 'utf8')

/** The flags as the command parses them, without running it. */
export const parse = async <Flags>(command: Command, args: readonly string[]): Promise<Flags> => {
  await command.action(() => {}).parseAsync([...args], { from: 'user' })
  return command.opts() as Flags
}

export const flagsIn = (options: Readonly<Record<string, Given>>): readonly string[] =>
  Object.values(options).flatMap(([args]) => args.filter(arg => arg.startsWith('--')))

export const flagsOf = (command: Command): readonly string[] =>
  command.options.flatMap(({ long }) => long ?? [])
