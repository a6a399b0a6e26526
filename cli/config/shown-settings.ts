import type { Command } from 'commander'
import type { Setting } from '../../reports/index.ts'
import { asOtherUser, type Ledger, placeholder } from '../../spec/index.ts'
import type { NamedSecret } from '../options/parse.ts'
import { resolvedSettingsOf } from './resolved-settings.ts'

/** Every setting of a command with its origin (a flag, `PLANTSTORE_SEED`, a file and line), without credentials. */
export const shownSettings = (command: Command): readonly Setting[] =>
  resolvedSettingsOf(command).settings.map(({ setting, value, origin }) => ({
    name: setting.flag ?? setting.name,
    value: shown(setting.name, value),
    origin:
      origin.kind === 'flag' ? (setting.flag === null ? 'argument' : 'flag') : (origin.at ?? origin.kind),
  }))

/** The settings of a run, as far as its ledger records them. */
export const settingsOfLedger = ({ start }: Ledger): readonly Setting[] =>
  Object.entries({
    url: start.target,
    '--seed': start.seed,
    '--subject': Object.entries(start.testedProduct ?? {}).map(fact => fact.join('=')),
    '--run-by': start.runBy ?? null,
    '--nonce': start.nonce ?? null,
    '--cases': start.budget.cases,
    '--max-time': start.budget.seconds,
    '--concurrency': start.budget.concurrency,
    '--only': start.selection.only,
    '--skip': start.selection.skip,
    ...start.policies,
  }).map(([name, value]) => ({ name, value, origin: 'ledger' }))

const shown = (name: string, value: unknown): unknown => {
  if (value === undefined) return null
  // A configuration may hold the user itself.
  if (name === 'authWfc' && typeof value !== 'string') return '(not shown)'
  if (name === 'token') return placeholder('right')
  if (name === 'otherToken') return asOtherUser(placeholder('right'))
  // Commands of the user may hold credentials, and whoever gets a bundle does not need them.
  if (['tokenCommand', 'otherTokenCommand', 'fixtureCommand', 'before', 'after'].includes(name))
    return '(not shown)'
  if (['secret', 'secretCommand'].includes(name))
    return (value as readonly NamedSecret[]).map(([scheme]) => scheme)
  if (name === 'header') return (value as readonly (readonly [string, string])[]).map(([header]) => header)
  if (value instanceof URL) return withoutCredentials(value)
  return value
}

const withoutCredentials = ({ href }: URL): string => {
  const url = new URL(href)
  url.username = ''
  url.password = ''
  return url.href
}
