import type { Finding, Obligation } from '../../spec/index.ts'
import { notChecked } from '../judge/mechanism.ts'
import { placeOfRequest, requestKind } from '../judge/request-kind.ts'
import type { Verdicts } from './conclusion.ts'

/** Places that are named. */
const mostNamed = 3

/**
 * Says with the first finding of what is not checked at which places no request of the same kind was accepted: who mends the cause sees that it
 * is not everywhere.
 */
export const withExceptions = (findings: readonly Finding[], verdicts: Verdicts): readonly Finding[] => {
  const told = new Set<string>()
  const places = Map.groupBy(
    verdicts.filter(({ obligation }) => obligation.family === 'reject'),
    ({ obligation }) => notChecked(requestKind(obligation, 'reject')),
  )
  return findings.map(finding => {
    const { cause } = finding
    if (cause === undefined || told.has(cause.key)) return finding
    told.add(cause.key)
    const of = Map.groupBy(places.get(cause.key) ?? [], ({ obligation }) => placeIn(obligation))
    const others = [...of]
      .filter(([, all]) => all.every(({ verdict }) => verdict.kind === 'passed'))
      .map(([place]) => place)
    return others.length === 0
      ? finding
      : {
          ...finding,
          cause: { ...cause, exceptions: { count: others.length, places: others.slice(0, mostNamed) } },
        }
  })
}

/** `createPlant: \`tag\`` */
const placeIn = (obligation: Obligation): string => {
  const place = placeOfRequest(obligation)
  return place === '' ? obligation.operation : `${obligation.operation}: ${place}`
}
