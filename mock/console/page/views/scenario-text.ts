import type { OperationSummary } from '../../messages.ts'
import type { Scenario } from '../../scenario-messages.ts'

const faultText: Readonly<Record<NonNullable<Scenario['fault']>, string>> = {
  reset: 'resets the connection',
  truncate: 'sends half of the body',
  hang: 'never responds',
  malformed: 'sends a malformed body',
}

/** What an operation does while these scenarios are on. */
export const scenariosText = (scenarios: readonly Scenario[]): string =>
  scenarios.map(scenarioText).join('; then ')

const scenarioText = (scenario: Scenario): string => {
  const { status, code, message, example, delay, fault, stream } = scenario
  const { body, patch, headers, when, times, every, limit, duplicates, unauthenticated, breaks, undeclared } =
    scenario
  const { expires, scopes } = scenario
  const parts = [
    ...(status === undefined ? [] : [`responds with ${status}`]),
    ...(body === undefined ? [] : [`answers ${shortened(JSON.stringify(body))}`]),
    ...(patch === undefined ? [] : [`changes the body by ${shortened(JSON.stringify(patch))}`]),
    ...(headers === undefined ? [] : [`with ${Object.keys(headers).join(', ')}`]),
    ...(code === undefined ? [] : [`error code ${code}`]),
    ...(message === undefined ? [] : [`message “${message}”`]),
    ...(example === undefined ? [] : [`example ${example}`]),
    ...(delay === undefined ? [] : [`after ${typeof delay === 'number' ? delay : delay.join('–')} ms`]),
    ...(fault === undefined ? [] : [faultText[fault]]),
    ...(stream === undefined ? [] : [streamText(stream)]),
    ...(limit === undefined ? [] : [`at most ${limit.requests} requests in ${limit.seconds} s`]),
    ...(duplicates === undefined ? [] : [`duplicates: ${duplicates}`]),
    ...(unauthenticated === undefined ? [] : [`wrong credentials: ${unauthenticated}`]),
    ...(expires === undefined ? [] : [`tokens expire after ${expires} s`]),
    ...(scopes === undefined ? [] : [`tokens have the scopes ${scopes}`]),
    ...(breaks === undefined ? [] : [`breaks ${breaks}`]),
    ...(undeclared === true ? ['even if undeclared'] : []),
  ].join(', ')
  const turns = [
    ...(when === undefined ? [] : [`requests with ${shortened(JSON.stringify(when))}`]),
    ...(every === undefined || every === 1 ? [] : [`one request in ${every}`]),
    ...(times === undefined ? [] : [`at most ${times} times`]),
  ].join(', ')
  const effect = parts || 'a function answers'
  return turns === '' ? effect : `${turns}: ${effect}`
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
const streamText = ({ events, interval, open }: NonNullable<Scenario['stream']>): string =>
  [
    'streams',
    ...(events === undefined ? [] : [`${events} events`]),
    ...(interval === undefined ? [] : [`every ${interval} ms`]),
    ...(open === true ? ['and stays open'] : []),
  ].join(' ')

/** The scenario that applies to all operations, shown as if it were one. */
export const allOperations: OperationSummary = {
  id: '*',
  method: '',
  path: 'all operations',
  summary: '',
  statuses: [],
  tag: '',
  document: 0,
}

/** A status code that matches a declared status. */
const matchingCode = (status: string): number =>
  status === 'default' ? 500 : Number(status.replace('XX', '00'))

/** Frequent scenarios, each a button. */
export const presetsOf = ({
  statuses,
}: OperationSummary): readonly (readonly [name: string, scenario: Scenario])[] => {
  const failure = statuses.map(matchingCode).find(status => status >= 400)
  return [
    ...(failure === undefined ? [] : [[`Fail with ${failure}`, { status: failure }] as const]),
    ['Delay 2 s', { delay: 2000 }],
    ['Reset every 3rd', { fault: 'reset', every: 3 }],
    ['No response', { fault: 'hang' }],
    ['Truncated body', { fault: 'truncate' }],
    ['Malformed body', { fault: 'malformed' }],
  ]
}
