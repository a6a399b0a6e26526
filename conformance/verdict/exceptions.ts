import type { Finding, Obligation } from '../../spec/index.ts'
import { notChecked } from '../judge/mechanism.ts'
import { placeOfRequest, requestKind } from '../judge/request-kind.ts'
import type { Verdicts } from './conclusion.ts'

/** Places that are named. */
const mostNamed = 3

/**
 * Says with the first finding of what is not checked where requests of the same kind were rejected all the same: who mends the cause sees that
 * it is not everywhere.
 */
export const withExceptions = (findings: readonly Finding[], verdicts: Verdicts): readonly Finding[] => {
  const told = new Set<string>()
  const rejected = Map.groupBy(
    verdicts.filter(({ obligation, verdict }) => obligation.family === 'reject' && verdict.kind === 'passed'),
    ({ obligation }) => notChecked(requestKind(obligation, 'reject')),
  )
  return findings.map(finding => {
    const { cause } = finding
    if (cause === undefined || told.has(cause.key)) return finding
    told.add(cause.key)
    const others = rejected.get(cause.key) ?? []
    if (others.length === 0) return finding
    const places = others.slice(0, mostNamed).map(({ obligation }) => placeIn(obligation))
    return { ...finding, cause: { ...cause, exceptions: { count: others.length, places } } }
  })
}

/** `createPlant: \`tag\`` */
const placeIn = (obligation: Obligation): string => {
  const place = placeOfRequest(obligation)
  return place === '' ? obligation.operation : `${obligation.operation}: ${place}`
}
