import type { OperationLine, Scenario } from '../shape.ts'

const faults: Readonly<Record<NonNullable<Scenario['fault']>, string>> = {
  reset: 'the connection is reset',
  truncate: 'half of the body is sent',
  hang: 'no answer ever comes',
  malformed: 'the body is no JSON',
}

/** What a scenario does, in words. */
export const scenarioWords = (scenario: Scenario): string => {
  const {
    status,
    code,
    message,
    example,
    delay,
    fault,
    every,
    limit,
    duplicates,
    unauthenticated,
    breaks,
    undeclared,
  } = scenario
  return [
    ...(every === undefined || every === 1 ? [] : [`one request in ${every}:`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(message === undefined ? [] : [`“${message}”`]),
    ...(example === undefined ? [] : [`example ${example}`]),
    ...(delay === undefined ? [] : [`after ${typeof delay === 'number' ? delay : delay.join('–')} ms`]),
    ...(fault === undefined ? [] : [faults[fault]]),
    ...(limit === undefined ? [] : [`at most ${limit.requests} in ${limit.seconds} s`]),
    ...(duplicates === undefined ? [] : [`duplicates: ${duplicates}`]),
    ...(unauthenticated === undefined ? [] : [`credentials: ${unauthenticated}`]),
    ...(breaks === undefined ? [] : [`breaks ${breaks}`]),
    ...(undeclared === true ? ['declared or not'] : []),
  ]
    .join(', ')
    .replace(':,', ':')
}

const everyOperation = '*'

/** What holds for all operations, as if it were one. */
export const allOperations: OperationLine = {
  id: everyOperation,
  method: '',
  path: 'all operations',
  summary: '',
  statuses: [],
}

/** A number that falls under a declared status. */
const numberOf = (status: string): number => (status === 'default' ? 500 : Number(status.replace('XX', '00')))

/** What one wants most often, by one press. */
export const presetsOf = ({
  statuses,
}: OperationLine): readonly (readonly [name: string, scenario: Scenario])[] => {
  const failure = statuses.map(numberOf).find(status => status >= 400)
  return [
    ...(failure === undefined ? [] : [[`Fail with ${failure}`, { status: failure }] as const]),
    ['Slow, 2 s', { delay: 2000 }],
    ['Every 3rd is reset', { fault: 'reset', every: 3 }],
    ['No answer', { fault: 'hang' }],
    ['Half an answer', { fault: 'truncate' }],
    ['Malformed', { fault: 'malformed' }],
  ]
}
