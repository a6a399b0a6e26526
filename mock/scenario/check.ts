import type { Scenario } from './scenario.ts'

/** What a value must be; null: it is. */
type Demand = (value: unknown) => string | null

const mostMs = 600_000

const whole =
  (least: number, most: number): Demand =>
  value =>
    isWhole(value, least, most)
      ? null
      : `a whole number from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`

const oneOf =
  (...words: readonly string[]): Demand =>
  value =>
    words.includes(value as string) ? null : words.join(' or ')

const text: Demand = value =>
  typeof value === 'string' && value !== '' && value.length <= 1000 ? null : 'a text of 1 to 1000 characters'

const delay: Demand = value => {
  const [from, to, ...rest] = Array.isArray(value) ? value : [value, value]
  return isWhole(from, 0, mostMs) && isWhole(to, from, mostMs) && rest.length === 0
    ? null
    : `milliseconds (200) or a range of them (100..300, in a file [100, 300]), at most ${mostMs.toLocaleString('en-US')}`
}

const limit: Demand = value => {
  const { requests, seconds, ...rest } = isPlain(value) ? value : {}
  return isWhole(requests, 1, 1e6) &&
    typeof seconds === 'number' &&
    seconds > 0 &&
    seconds <= 86_400 &&
    Object.keys(rest).length === 0
    ? null
    : 'requests and seconds (10/60, in a file {requests: 10, seconds: 60}), both above 0'
}

const demands: Readonly<Record<keyof Scenario, Demand>> = {
  status: whole(200, 599),
  code: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  message: text,
  example: text,
  delay,
  fault: oneOf('reset', 'truncate', 'hang', 'malformed'),
  every: whole(1, 1e6),
  limit,
  duplicates: oneOf('accept', 'refuse'),
  unauthenticated: oneOf('declared', '401', 'either'),
  breaks: text,
  undeclared: value => (typeof value === 'boolean' ? null : 'true or false'),
}

/** What is wrong with a value as a scenario, whatever the contract; one line each. Empty: it is a `Scenario`. */
export const checkScenario = (value: unknown): readonly string[] => {
  const keys = Object.keys(demands)
  if (!isPlain(value)) return [`it must be an object with any of ${keys.join(', ')}`]
  const entries = Object.entries(value)
  if (entries.length === 0) return [`it says nothing: give any of ${keys.join(', ')}`]
  return [
    ...entries.flatMap(([key, given]) => {
      if (!Object.hasOwn(demands, key)) return [`there is no ${key}: give any of ${keys.join(', ')}`]
      const must = demands[key as keyof Scenario](given)
      return must === null ? [] : [`${key} must be ${must}, not ${JSON.stringify(given)}`]
    }),
    ...conflicts(value as Scenario),
  ]
}

/** What cannot stand together. */
const conflicts = ({ status, code, message, example, breaks }: Scenario): readonly string[] => {
  const failure = code !== undefined ? 'code' : message !== undefined ? 'message' : null
  const both = (one: string, other: string): string => `${one} and ${other} cannot stand together`
  return [
    ...(breaks !== undefined && status !== undefined ? [both('breaks', 'status')] : []),
    ...(breaks !== undefined && example !== undefined ? [both('breaks', 'example')] : []),
    ...(failure !== null && breaks !== undefined ? [both('breaks', failure)] : []),
    ...(failure !== null && example !== undefined ? [both('example', failure)] : []),
    ...(failure !== null && typeof status === 'number' && status < 400
      ? [`${failure} is of a failure, and ${status} is none`]
      : []),
  ]
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
