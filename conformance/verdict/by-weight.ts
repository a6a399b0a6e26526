import { type Finding, isWronglyAccepted, type Obligation } from '../../spec/index.ts'

/** Who decides reads the first findings only: what lets anybody in or mixes data up comes before what is merely not as declared. */
const weights = ['auth', 'data', 'crash', 'accepted', 'rejected', 'shape', 'protocol'] as const

type Weight = (typeof weights)[number]

/** The findings with the gravest first: by level, then by what they mean, then in the order of the contract. */
export const byWeight = (
  findings: readonly Finding[],
  obligations: readonly Obligation[],
): readonly Finding[] => {
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const rank = (finding: Finding): number =>
    (finding.level === 'MUST' ? 0 : weights.length) +
    weights.indexOf(weightOf(finding, byId.get(finding.obligation)))
  return findings.toSorted((left, right) => rank(left) - rank(right))
}

const weightOf = (finding: Finding, obligation: Obligation | undefined): Weight => {
  const { outcome } = finding
  const { family = 'response', subject } = obligation ?? {}
  const status = outcome.kind === 'response' ? outcome.status : null
  if (family === 'protocol') return 'protocol'
  const isAccepted = isWronglyAccepted(finding)
  if (family === 'auth' && isAccepted) return 'auth'
  const isPairing = subject?.kind === 'stability' && subject.name === 'pairing'
  const isEcho = subject?.kind === 'response' && subject.aspect === 'echo'
  if (family === 'state' || isPairing || isEcho) return 'data'
  if (status === null || status >= 500) return 'crash'
  if (isAccepted) return 'accepted'
  return family === 'response' ? 'shape' : 'rejected'
}
