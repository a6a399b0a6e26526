import { type Family, type Finding, isWronglyAccepted, type Obligation } from '../../spec/index.ts'

/** Who decides reads the first findings only: what lets anybody in or mixes data up comes before what is merely not as declared. */
const weights = ['auth', 'data', 'crash', 'accepted', 'rejected', 'shape', 'protocol'] as const

type Weight = (typeof weights)[number]

/** The findings with the gravest first: by level, then by what they mean, then in the order of the contract. */
export const byWeight = (
  findings: readonly Finding[],
  obligations: readonly Obligation[],
): readonly Finding[] => {
  const families = new Map(obligations.map(({ id, family }) => [id, family]))
  const rank = (finding: Finding): number =>
    (finding.level === 'MUST' ? 0 : weights.length) +
    weights.indexOf(weightOf(finding, families.get(finding.obligation) ?? 'response'))
  return findings.toSorted((left, right) => rank(left) - rank(right))
}

const weightOf = (finding: Finding, family: Family): Weight => {
  const { obligation, outcome } = finding
  const status = outcome.kind === 'response' ? outcome.status : null
  if (family === 'protocol') return 'protocol'
  const isAccepted = isWronglyAccepted(finding)
  if (family === 'auth' && isAccepted) return 'auth'
  if (family === 'state' || /\/stability\/pairing$|\/response\/[^/]+\/echo\//.test(obligation)) return 'data'
  if (status === null || status >= 500) return 'crash'
  if (isAccepted) return 'accepted'
  return family === 'response' ? 'shape' : 'rejected'
}
