import type { StartEvent } from '../spec/index.ts'
import { safeText } from './safe-text.ts'

/** The source of a contract that the product brings along: no `--spec` is needed for it. */
export const builtIn = 'built-in'

const plain = /^[\w@%+=:,./-]+$/

/** A word as a POSIX shell takes it. */
const shellWord = (text: string): string =>
  plain.test(text) ? text : `'${safeText(text).replaceAll("'", `'\\''`)}'`

/** The command that makes the same run again: same contract, seed, budget and policies. */
export const repeatCommand = ({ target, contract, seed, budget, selection, policies }: StartEvent): string =>
  [
    `plantstore verify ${shellWord(target)}`,
    contract.source === builtIn ? '' : `--spec ${shellWord(contract.source)}`,
    `--seed ${seed}`,
    budget.cases === null ? '' : `--cases ${budget.cases}`,
    budget.seconds === null ? '' : `--time ${budget.seconds}s`,
    ...selection.only.map(pattern => `--only ${shellWord(pattern)}`),
    ...selection.skip.map(pattern => `--skip ${shellWord(pattern)}`),
    (policies.unauthenticated ?? 'declared') === 'declared'
      ? ''
      : `--unauthenticated ${shellWord(policies.unauthenticated ?? '')}`,
    policies.strict === 'true' ? '--strict' : '',
    policies.wire === undefined ? '' : '--wire',
    ...headerFlags(policies),
  ]
    .filter(part => part !== '')
    .join(' ')

/** The command that sends one recorded case again. */
export const replayCommand = (ledger: string, id: string, { policies }: StartEvent): string =>
  [`plantstore replay ${shellWord(ledger)} ${shellWord(id)}`, ...headerFlags(policies)].join(' ')

/** Extra headers of the run: their values were not written down. */
const headerFlags = (policies: StartEvent['policies']): readonly string[] =>
  (policies['extra headers'] ?? '')
    .split(', ')
    .filter(name => name !== '')
    .map(name => `--header ${shellWord(`${name}: …`)}`)
