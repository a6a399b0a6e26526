import type { Obligation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasPassed, type RunStats } from '../judge/run-stats.ts'
import { type Cluster, isOfKind } from './cluster.ts'

/**
 * Joins what failed for one rule that the document does not have, whatever the cases are about: any valid request is what failed. A cluster alone says what it is about better.
 */
export const byUndocumentedRule = (
  clusters: readonly Cluster[],
  valid: Obligation | undefined,
  model: OperationModel,
  stats: RunStats,
): { readonly ruled: readonly Cluster[]; readonly others: readonly Cluster[] } => {
  const groups = Map.groupBy(clusters, ({ confirmed }) => confirmed.rule?.key ?? null)
  const ruled: Cluster[] = []
  const others: Cluster[] = [...(groups.get(null) ?? [])]
  for (const [key, alike] of groups) {
    if (key === null) continue
    const obligations = new Set(alike.flatMap(cluster => cluster.obligations))
    const [first] = alike.toSorted((left, right) => sizeOf(left) - sizeOf(right))
    const incidents = alike.flatMap(cluster => cluster.incidents)
    // A kind of requests that all of them belong to, and that always fails, says it better.
    const isOfOneKind = [...obligations].some(
      obligation =>
        obligation.subject.kind !== 'valid' &&
        !hasPassed(stats, obligation.id) &&
        incidents.every(incident => isOfKind(model, obligation, incident)),
    )
    if (valid === undefined || first?.confirmed.rule === undefined || obligations.size < 2 || isOfOneKind) {
      others.push(...alike.map(withoutRule))
      continue
    }
    const { confirmed } = first
    const { title } = first.confirmed.rule
    const { incident } = confirmed
    const violation = { ...incident.violation, id: valid.id, title }
    ruled.push({
      obligations: [valid],
      also: [...obligations].map(({ id }) => id).filter(id => id !== valid.id),
      confirmed: { ...confirmed, incident: { ...incident, violation } },
      incidents,
      key,
      signature: first.signature,
    })
  }
  return { ruled, others }
}

/** Then the rule is not what a finding is about. */
const withoutRule = ({ confirmed: { rule: _, ...confirmed }, ...cluster }: Cluster): Cluster => ({
  ...cluster,
  confirmed,
})

const sizeOf = ({ confirmed: { incident } }: Cluster): number =>
  (incident.testCase.request.body?.length ?? 0) + incident.testCase.request.target.length
