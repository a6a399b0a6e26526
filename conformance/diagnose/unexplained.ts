import { type Cluster, isOfConnection } from './cluster.ts'

/** The clusters that are not of a connection. Of the others, the cause is found, and they show no more. */
export const unexplained = (
  onSight: readonly Cluster[],
  steady: readonly Cluster[],
  excused: Map<string, string>,
): readonly Cluster[] =>
  onSight.filter(cluster => {
    const isExplained = isOfConnection(cluster, steady)
    if (isExplained)
      for (const { id } of cluster.obligations)
        excused.set(
          id,
          'it failed only after other requests on the same connection, which has a finding of its own',
        )
    return !isExplained
  })
