import type { Contract } from './contract.ts'
import { subscriptionsOf } from './subscriptions.ts'

/** The parts of a document that a run does not test; `callbacks`: whether it listens for callbacks and webhooks. */
export const partsNotTested = (contract: Contract, callbacks: boolean): Contract['notTested'] => {
  const { notTested, operations } = contract
  if (!callbacks) return notTested
  const isSubscribed = operations.some(operation => subscriptionsOf(contract, operation).length > 0)
  return notTested.filter(
    ({ message }) => !(isSubscribed ? /^the (?:callback|webhook) "/ : /^the callback "/).test(message),
  )
}

/** What a document describes and a run does not test: one line each. `callbacks`: see `partsNotTested`. */
export const documentNotes = (contract: Contract, callbacks = false): readonly string[] => {
  const { leftOut, unresolved, operations } = contract
  const notTested = partsNotTested(contract, callbacks)
  const all = operations.length + leftOut.length
  return [
    ...(leftOut.length === 0
      ? []
      : [
          `${leftOut.length} of ${all} operations are left out, because the document describes them in a way that cannot be used: ${shown(leftOut.map(({ method, path }) => (method === '*' ? path : `${method} ${path}`)))}`,
        ]),
    ...(unresolved.length === 0
      ? []
      : [
          `${unresolved.length === 1 ? 'a reference' : `${unresolved.length} references`} of the document could not be resolved, so what ${unresolved.length === 1 ? 'it stands' : 'they stand'} for is not checked: ${shown(unresolved)}`,
        ]),
    ...(notTested.length === 0
      ? []
      : [
          `the document also describes what is not tested: ${shown(notTested.map(({ message }) => message.replace(/,? is not tested$/, '')))}`,
        ]),
  ]
}

/** The names that a line has. */
const mostShown = 5

export const shown = (names: readonly string[]): string =>
  names.length <= mostShown
    ? names.join(', ')
    : `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more`
