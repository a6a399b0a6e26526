import { builtIn, type Finding, type StartEvent, safeText, trafficFile } from '../../spec/index.ts'
import { recordedObligations } from './causes.ts'

const plain = /^[\w@%+=:,./-]+$/

/** Quotes a word for a POSIX shell. */
const shellWord = (text: string): string =>
  plain.test(text) ? text : `'${safeText(text).replaceAll("'", `'\\''`)}'`

/** Whether a run is the traffic of clients, which `plantstore proxy` or `judge` judged. */
export const isOfTraffic = ({ policies }: Pick<StartEvent, 'policies'>): boolean =>
  trafficFile(policies.requests) !== undefined

/** The command that made a run. */
export const commandOf = ({ policies }: Pick<StartEvent, 'policies'>): string => {
  const file = trafficFile(policies.requests)
  return `plantstore ${file === undefined ? 'verify' : file === null ? 'proxy' : `judge ${shellWord(file)} --server`}`
}

/** The command that repeats a run: same contract, seed, budget and policies. */
export const repeatCommand = ({ target, contract, seed, budget, selection, policies }: StartEvent): string =>
  [
    `${commandOf({ policies })} ${shellWord(target)}`,
    contract.source === builtIn ? '' : `--spec ${shellWord(contract.source)}`,
    ...(contract.overlays ?? []).map(file => `--overlay ${shellWord(file)}`),
    isOfTraffic({ policies }) ? '' : `--seed ${seed}`,
    budget.cases === null ? '' : `--cases ${budget.cases}`,
    budget.seconds === null ? '' : `--max-time ${budget.seconds}s`,
    ...selection.only.map(pattern => `--only ${shellWord(pattern)}`),
    ...selection.skip.map(pattern => `--skip ${shellWord(pattern)}`),
    ...(selection.never ?? []).map(pattern => `--never ${shellWord(pattern)}`),
    ...(selection.include ?? []).map(pattern => `--include ${shellWord(pattern)}`),
    (policies.unauthenticated ?? 'declared') === 'declared'
      ? ''
      : `--unauthenticated ${shellWord(policies.unauthenticated ?? '')}`,
    policies['undeclared-failures'] === 'fail' ? '--undeclared-failures fail' : '',
    policies.strict === 'true' ? '--strict' : '',
    policies.auth === undefined ? '' : `--auth ${shellWord(policies.auth)}`,
    policies['malformed-http'] === undefined ? '' : '--malformed-http',
    ...listed(policies['max-response-time']).map(limit => `--max-response-time ${shellWord(limit)}`),
    ...listed(policies.arazzo).map(file => `--arazzo ${shellWord(file)}`),
    ...listed(policies.listen).map(address => `--listen ${shellWord(address)}`),
    ...listed(policies['callback-wait']).map(time => `--callback-wait ${time}`),
    ...listed(policies['public-url']).map(url => `--public-url ${shellWord(url)}`),
    ...headerFlags(policies),
  ]
    .filter(part => part !== '')
    .join(' ')

/** The command that sends one recorded case again. `ledger` is the path of the ledger file. */
export const replayCommand = (ledger: string, id: string, { policies }: StartEvent): string =>
  [`plantstore replay ${shellWord(ledger)} ${shellWord(id)}`, ...headerFlags(policies)].join(' ')

/** The command that shows a finding again: of a workflow or a callback, it runs that part again. */
export const againCommand = (
  ledger: string,
  { id, obligation, steps }: Finding,
  start: StartEvent,
): string =>
  ['flow', 'callback'].includes(recordedObligations(start).get(obligation)?.family ?? '') ||
  steps?.some(({ role }) => role === 'flow') === true
    ? repeatCommand(start) + (isOfTraffic(start) ? '' : ` --only ${shellWord(obligation)}`)
    : replayCommand(ledger, id, start)

/** The extra headers of the run; a ledger does not record their values. */
const headerFlags = (policies: StartEvent['policies']): readonly string[] =>
  listed(policies['extra headers']).map(name => `--header ${shellWord(`${name}: …`)}`)

const listed = (policy: string | undefined): readonly string[] =>
  (policy ?? '').split(', ').filter(item => item !== '')
