import type { Outcome } from '../http/exchange.ts'
import { malformedHttpKinds } from '../obligations/inputs/malformed-http/index.ts'
import { outcomeText } from './outcome-text.ts'

/** What went wrong with a request that breaks HTTP, or that comes after one that does. */
export const protocolTitle = (name: string, outcome: Outcome, input: string): string => {
  const check = malformedHttpKinds.find(kind => kind.name === name)?.check ?? 'accepted'
  const plain = outcomeText(outcome, input, check === 'rejected' ? 'reject' : 'accept')
  if (outcome.kind === 'failure') return plain
  const { response, trace } = outcome
  const { status } = response
  const isAccepted = status >= 200 && status < 400
  switch (check) {
    case 'continued':
      return trace?.early === false
        ? `sent neither 100 Continue nor a response before the body of ${input}`
        : plain
    case 'closed':
      return isAccepted && trace?.closed === false ? `left the connection open after ${input}` : plain
    case 'alone':
      return `answered ${input} and left the connection open`
    case 'in-order':
      return pipelinedTitle(trace?.statuses ?? [], input)
    case 'plain':
      return trace !== undefined && trace.interim.length > 0
        ? `sent the interim response ${trace.interim[0]} to ${input}`
        : `answered ${input} with Transfer-Encoding`
    default:
      return plain
  }
}

const pipelinedTitle = ([first = 0, second]: readonly number[], input: string): string => {
  if (first < 200 || first >= 400) return `answered ${first} to the first of ${input}`
  return second === undefined
    ? `did not respond to the second of ${input}`
    : `answered ${second} to the second of ${input}, which is invalid`
}
