import { isCounted } from '../obligations/obligation.ts'
import { isLeftOut } from './coverage.ts'
import type { ExchangeEvent, Verdict } from './event.ts'
import type { Ledger } from './ledger.ts'
import { isWronglyAccepted } from './recorded-exchange.ts'

/** Where the verdicts of a ledger disagree with its own exchanges, findings and conclusion, one line each: somebody has changed it. */
export const contradictionsIn = (ledger: Ledger): readonly string[] => {
  const verdicts = new Map(ledger.entries.map(({ obligation, verdict }) => [obligation.id, verdict]))
  return [
    ...refuted(ledger, verdicts),
    ...ledger.findings
      .filter(({ obligation }) => verdicts.get(obligation)?.kind === 'passed')
      .map(({ id, obligation }) => `${obligation} passed, but the finding ${id} is that it failed`),
    ...untold(ledger),
    ...misconcluded(ledger),
  ]
}

/** Obligations that passed without exception, although an exchange shows them failed. */
const refuted = ({ exchanges }: Ledger, verdicts: ReadonlyMap<string, Verdict>): readonly string[] => {
  const shown = new Map<string, string>()
  for (const exchange of exchanges)
    for (const id of failedIn(exchange)) if (!shown.has(id)) shown.set(id, exchange.id)
  return [...shown].flatMap(([id, exchange]) => {
    const verdict = verdicts.get(id)
    return verdict?.kind === 'passed' && verdict.except === undefined
      ? [`${id} passed, but the exchange ${exchange} shows that it failed`]
      : []
  })
}

/** What an exchange shows failed; a success where a rejection is required is a failure, whatever the exchange says of it. */
const failedIn = (exchange: ExchangeEvent): readonly string[] =>
  isWronglyAccepted(exchange) ? [exchange.obligation, ...exchange.failed] : exchange.failed

const untold = ({ entries, findings }: Ledger): readonly string[] => {
  const known = new Set(findings.map(({ id }) => id))
  return entries.flatMap(({ obligation, verdict }) =>
    'finding' in verdict && !known.has(verdict.finding)
      ? [`${obligation.id} failed by the finding ${verdict.finding}, which is missing`]
      : [],
  )
}

const misconcluded = ({ start, entries, end }: Ledger): readonly string[] => {
  if (end === null || (end.conclusion !== 'conformant' && end.conclusion !== 'accepted')) return []
  const counted = entries.filter(({ obligation }) =>
    isCounted(obligation.level, start.policies.strict === 'true'),
  )
  const isAny = (is: (verdict: Verdict) => boolean): boolean => counted.some(({ verdict }) => is(verdict))
  const { cases, needed } = start.budget
  const isShort = cases !== null && cases < needed && (start.planned ?? 0) >= cases
  return [
    ...(isShort ? [`the contract needs ${needed} cases, and the run had ${cases}`] : []),
    ...(isAny(({ kind }) => kind === 'failed') ? ['a requirement that counts failed'] : []),
    ...(isAny(isLeftOut) ? ['a requirement that counts was left out'] : []),
    ...(end.conclusion === 'conformant' && isAny(({ kind }) => kind === 'waived' || kind === 'baselined')
      ? ['a failure that counts is waived or in the baseline']
      : []),
  ].map(reason => `the conclusion is ${end.conclusion}, but ${reason}`)
}
