import type { Command } from 'commander'
import type { Setting } from '../reports/index.ts'
import { type Ledger, placeholder } from '../spec/index.ts'

// As `settle` gives them; it knows all verbs, so that no verb can know it.
type Settled = {
  readonly setting: { readonly name: string; readonly flag: string | null }
  readonly value: unknown
  readonly origin: { readonly kind: string; readonly at: string | null }
}

const known = new WeakMap<Command, readonly Setting[]>()

/** Keeps what a command was settled with, so that its run can tell it. */
export const keepSettings = (command: Command, settled: readonly Settled[]): void => {
  const settings = settled.map(({ setting: { name, flag }, value, origin: { kind, at } }) => ({
    name: flag ?? name,
    value: shown(name, value),
    origin: kind === 'flag' ? (at === null ? 'argument' : 'flag') : at === null ? kind : `${kind} ${at}`,
  }))
  known.set(command, settings)
}

/** Every setting of a command with its origin, without credentials. */
export const settingsIn = (command: Command): readonly Setting[] => known.get(command) ?? []

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
