import { type Evidence, mergeShards } from '../conformance/index.ts'
import { type Contract, type Finding, isWaivedOrBaselined, type Ledger } from '../spec/index.ts'

/** What a part by itself has to say against the server, as the message of a test; null where it is nothing. */
export const complaintOf = (contract: Contract, evidence: Evidence): string | null => {
  const { ledger } = mergeShards(contract, [evidence])
  const findings = countedOf(ledger)
  if (findings.length > 0) return findings.map(finding => told(finding, ledger)).join('\n\n')
  const { stopped, reason, cases, slices } = evidence.results
  if (stopped !== 'done')
    return `the cell could not be judged (${stopped}): ${reason ?? 'no reason is known'}`
  return cases === 0 && slices.length > 0
    ? 'the cell could not be judged: no case of it was sent, so raise the number of cases'
    : null
}

/** The findings that count against the server. */
export const countedOf = (ledger: Ledger): readonly Finding[] => {
  const waived = isWaivedOrBaselined(ledger)
  const isStrict = ledger.start.policies.strict === 'true'
  return ledger.findings.filter(
    finding => (finding.level === 'MUST' || (finding.level === 'SHOULD' && isStrict)) && !waived(finding),
  )
}

const told = (
  { obligation, also, expected, actual, repeat, curl, hint }: Finding,
  ledger: Ledger,
): string => {
  const promise =
    ledger.entries.find(entry => entry.obligation.id === obligation)?.obligation.requirement ?? ''
  return [
    `${obligation}: ${promise}`,
    `   wanted: ${expected}`,
    `   got:    ${actual}${repeat === 'flaky' ? ' (not every time)' : ''}`,
    ...(also.length === 0 ? [] : [`   also:   ${also.join(', ')}`]),
    ...(hint === '' ? [] : [`   hint:   ${hint}`]),
    `   again:  ${curl}`,
  ].join('\n')
}
