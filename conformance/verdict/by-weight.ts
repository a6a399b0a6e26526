import { type Family, type Finding, isWronglyAccepted, type Obligation } from '../../spec/index.ts'

/**
 * Who decides reads the first findings only. That the server fails comes first, at any level and whether or not the document declares it;
 * what lets anybody in or mixes data up comes before what is merely not as declared.
 */
const weights = ['crash', 'auth', 'data', 'accepted', 'rejected', 'shape', 'protocol'] as const

/** What these families are about gets lost or comes twice. */
const ofData: ReadonlySet<Family> = new Set(['state', 'idempotency', 'conditional'])

type Weight = (typeof weights)[number]

/** The findings with the gravest first: by level, then by what they mean, then in the order of the contract. */
export const byWeight = (
  findings: readonly Finding[],
  obligations: readonly Obligation[],
): readonly Finding[] => {
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const rank = (finding: Finding): number => {
    const weight = weightOf(finding, byId.get(finding.obligation))
    const level = finding.level === 'MUST' ? 0 : weights.length
    return weight === 'crash' ? level / (weights.length + 1) : level + weights.indexOf(weight)
  }
  return findings.toSorted((left, right) => rank(left) - rank(right))
}

const weightOf = (finding: Finding, obligation: Obligation | undefined): Weight => {
  const { outcome } = finding
  const { family = 'response', subject } = obligation ?? {}
  const status = outcome.kind === 'response' ? outcome.status : null
  if (family === 'protocol') return 'protocol'
  if (status === null || status >= 500) return 'crash'
  if ((family === 'auth' && status < 400) || family === 'ownership') return 'auth'
  const isPairing = subject?.kind === 'stability' && subject.name === 'pairing'
  const isEcho = subject?.kind === 'response' && subject.aspect === 'echo'
  if (ofData.has(family) || isPairing || isEcho) return 'data'
  if (isWronglyAccepted(finding)) return 'accepted'
  return family === 'response' ? 'shape' : 'rejected'
}
