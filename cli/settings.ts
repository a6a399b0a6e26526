import type { Command } from 'commander'
import type { Setting } from '../reports/index.ts'
import { type Ledger, placeholder } from '../spec/index.ts'

const origins: Readonly<Record<string, string>> = { cli: 'flag', default: 'default', env: 'environment' }

/** Every setting of a command with its origin, without credentials. */
export const settingsOf = (command: Command): readonly Setting[] => [
  ...command.registeredArguments.map((argument, index) => ({
    name: argument.name(),
    value: shown(argument.name(), command.processedArgs[index]),
    origin: command.args[index] === undefined ? 'default' : 'argument',
  })),
  ...command.options.map(option => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    const fromEnvironment = name === 'token' && value === undefined && Boolean(process.env.PLANTSTORE_TOKEN)
    return {
      name: option.long ?? name,
      value: fromEnvironment ? placeholder('right') : shown(name, value),
      origin: fromEnvironment
        ? 'environment'
        : (origins[command.getOptionValueSource(name) ?? 'default'] ?? 'default'),
    }
  }),
]

/** What a ledger still tells of the settings of its run. */
export const settingsOfLedger = ({ start }: Ledger): readonly Setting[] =>
  Object.entries({
    url: start.target,
    '--seed': start.seed,
    '--cases': start.budget.cases,
    '--time': start.budget.seconds,
    '--concurrency': start.budget.concurrency,
    '--only': start.selection.only,
    '--skip': start.selection.skip,
    ...start.policies,
  }).map(([name, value]) => ({ name, value, origin: 'ledger' }))

const shown = (name: string, value: unknown): unknown => {
  if (value === undefined) return null
  if (name === 'token') return placeholder('right')
  if (name === 'header') return (value as readonly (readonly [string, string])[]).map(([own]) => own)
  if (value instanceof URL) return withoutCredentials(value)
  return value
}

const withoutCredentials = ({ href }: URL): string => {
  const url = new URL(href)
  url.username = ''
  url.password = ''
  return url.href
}
