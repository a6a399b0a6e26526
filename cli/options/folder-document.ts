import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { say } from '../process/terminal.ts'

/** What the document of a folder is called. */
const names = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/** The document of this folder; null if there is none, or the command reads no document or was given one. */
export const documentOfFolder = (command: Command): string | null => {
  if (isTaken(command)) return command.getOptionValue('spec') as string
  const takesOne = command.options.some(({ long }) => long === '--spec')
  const hasOne = ['spec', 'mount', 'ledger'].some(name => command.getOptionValue(name) !== undefined)
  const isOfRun = [command, command.parent].some(each => readsLedger.includes(each?.name() ?? ''))
  if (!takesOne || hasOne || isOfRun) return null
  return names.find(name => existsSync(name)) ?? null
}

/** Their document is that of the run. */
const readsLedger = ['replay', 'merge', 'bundle']

const source = 'folder'
const isTaken = (command: Command): boolean => command.getOptionValueSource('spec') === source

/** Takes the document of this folder if the user gives none, and says so. */
export const useDocumentOfFolder = (command: Command): void => {
  const found = documentOfFolder(command)
  if (found === null || isTaken(command)) return
  command.setOptionValueWithSource('spec', found, source)
  say(`the contract is ${found} of this folder (give another one with --spec)`)
}
