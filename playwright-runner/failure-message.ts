import { type Evidence, mergeShards } from '../conformance/index.ts'
import { findingMessage } from '../reports/index.ts'
import {
  type Contract,
  type Finding,
  isCounted,
  isWaivedOrBaselined,
  type Ledger,
  stopText,
} from '../spec/index.ts'

/** Why a test fails: the findings of its shard result, or what kept it from being judged. Null if it passes. */
export const failureMessage = (contract: Contract, result: Evidence): string | null => {
  const { ledger } = mergeShards(contract, [result])
  const findings = countedFindings(ledger)
  if (findings.length > 0) return findings.map(finding => findingMessage(ledger, finding)).join('\n\n')
  const { stopped, reason, cases, slices } = result.results
  if (stopped !== 'done') return `the plan slice was not judged: ${reason ?? stopText[stopped]}`
  return cases === 0 && slices.length > 0
    ? 'the plan slice was not judged: none of its cases was sent, so raise the number of cases'
    : null
}

/** The findings that count against the server. */
export const countedFindings = (ledger: Ledger): readonly Finding[] => {
  const isExcused = isWaivedOrBaselined(ledger)
  const isStrict = ledger.start.policies.strict === 'true'
  return ledger.findings.filter(finding => isCounted(finding.level, isStrict) && !isExcused(finding))
}
