/** Which request a callback is about. */
import type { Asked } from './ask-for-callback.ts'
import { type Received, scalarsOf } from './judge-callback.ts'

/** What came for one request with a value of another. */
export type OfAnother = { readonly received: Received; readonly value: string }

/**
 * What came for a request with a value that another request or its response has under the same name, and its own do not; if it is too long to
 * be so by chance. Null: it has values of its own request. `unknown`: no name in it is one of its request.
 */
export const ofAnother = (
  asked: Asked,
  came: readonly Received[],
  others: readonly Asked[],
): OfAnother | null | 'unknown' => {
  const own = valuesOf(asked)
  const foreign = others.filter(other => other !== asked).map(valuesOf)
  let isTold = false
  for (const received of came)
    for (const [name, value] of scalarsOf(received.arrival.body)) {
      const known = own.get(name)
      if (known === undefined) continue
      if (known.has(value)) isTold = true
      else if (isTelling(value) && foreign.some(values => values.get(name)?.has(value) === true))
        return { received, value: `${name}: ${value}` }
    }
  return isTold ? null : 'unknown'
}

/** `value`: as JSON. */
const isTelling = (value: string): boolean =>
  value.startsWith('"') ? value.length >= 6 : /^-?\d{4}/.test(value)

/** What a request and its response say, by the names of the properties. */
const valuesOf = ({ sent: { testCase, outcome } }: Asked): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = [
    ...scalarsOf(testCase.request.body),
    ...(outcome.kind === 'response' ? scalarsOf(outcome.response.body) : []),
  ]
  return new Map(
    [...Map.groupBy(all, ([name]) => name)].map(([name, pairs]) => [
      name,
      new Set(pairs.map(([, value]) => value)),
    ]),
  )
}
