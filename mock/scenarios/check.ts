import { jsonCopy } from '../../spec/index.ts'
import { checkHeaders } from '../answers/compose.ts'
import { checkWhen } from '../answers/when.ts'
import type { Scenario } from './registry.ts'

/** What a value must be; null: it is. */
type Requirement = (value: unknown) => string | null

const maxMs = 600_000

const wholeNumber =
  (min: number, max: number): Requirement =>
  value =>
    isWhole(value, min, max)
      ? null
      : `a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`

const oneOf =
  (...words: readonly string[]): Requirement =>
  value =>
    words.includes(value as string) ? null : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const text: Requirement = value =>
  typeof value === 'string' && value !== '' && value.length <= 1000
    ? null
    : 'a string of 1 to 1000 characters'

const delay: Requirement = value => {
  const [from, to, ...rest] = Array.isArray(value) ? value : [value, value]
  return isWhole(from, 0, maxMs) && isWhole(to, from, maxMs) && rest.length === 0
    ? null
    : `milliseconds (200) or a range of them (100..300, in a file [100, 300]), at most ${maxMs.toLocaleString('en-US')}`
}

const limit: Requirement = value => {
  const { requests, seconds, ...rest } = isPlainObject(value) ? value : {}
  return isWhole(requests, 1, 1e6) &&
    typeof seconds === 'number' &&
    seconds > 0 &&
    seconds <= 86_400 &&
    Object.keys(rest).length === 0
    ? null
    : 'requests and seconds (10/60, in a file {requests: 10, seconds: 60}), both above 0'
}

const json: Requirement = value => {
  if (typeof value === 'function') return null
  try {
    return jsonCopy(value) === undefined ? 'JSON' : null
  } catch {
    return 'JSON, without circles and bigints'
  }
}

/** What is wrong with a part that has parts of its own, one line each. */
const checks: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  headers: checkHeaders,
  when: checkWhen,
}

const maxEvents = 10_000

const stream: Requirement = value => {
  const { events = 0, interval = 0, open = false, ...rest } = isPlainObject(value) ? value : { none: value }
  return isWhole(events, 0, maxEvents) &&
    isWhole(interval, 0, maxMs) &&
    typeof open === 'boolean' &&
    Object.keys(rest).length === 0
    ? null
    : `a number of events, at most ${maxEvents.toLocaleString('en-US')}, and the milliseconds between two (5/100, or 5/100/open; in a file {events: 5, interval: 100, open: true})`
}

const requirements: Readonly<Record<Exclude<keyof Scenario, 'headers' | 'when'>, Requirement>> = {
  status: wholeNumber(200, 599),
  code: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  message: text,
  body: json,
  patch: value => (isPlainObject(value) ? json(value) : 'an object, such as {"status":"paid"}'),
  example: text,
  delay,
  fault: oneOf('reset', 'truncate', 'hang', 'malformed'),
  stream,
  every: wholeNumber(1, 1e6),
  times: wholeNumber(1, 1e6),
  limit,
  duplicates: oneOf('accept', 'reject'),
  unauthenticated: oneOf('declared', '401', 'either'),
  expires: wholeNumber(0, 31_536_000),
  scopes: text,
  breaks: text,
  undeclared: value => (typeof value === 'boolean' ? null : 'true or false'),
}

/** What is wrong with a value as a scenario for any contract, one line each. Empty: it is a `Scenario`. */
export const checkScenario = (value: unknown): readonly string[] => {
  const keys = [...Object.keys(requirements), ...Object.keys(checks)]
  if (!isPlainObject(value)) return [`it must be an object with at least one of ${keys.join(', ')}`]
  const entries = Object.entries(value)
  if (entries.length === 0) return [`it is empty: set at least one of ${keys.join(', ')}`]
  return [
    ...entries.flatMap(([key, part]) => {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined
      if (check !== undefined) return check(part)
      if (!Object.hasOwn(requirements, key)) return [`there is no ${key}; set any of ${keys.join(', ')}`]
      const requirement = requirements[key as keyof typeof requirements](part)
      return requirement === null
        ? []
        : [`${key} must be ${requirement}${key === 'body' ? '' : `, not ${JSON.stringify(part)}`}`]
    }),
    ...conflicts(value as Scenario),
  ]
}

const conflicts = ({
  status,
  code,
  message,
  example,
  breaks,
  body,
  patch,
  headers,
}: Scenario): readonly string[] => {
  const failure = code !== undefined ? 'code' : message !== undefined ? 'message' : null
  const both = (one: string, other: string): string => `${one} and ${other} cannot be combined`
  return [
    ...(breaks !== undefined && status !== undefined ? [both('breaks', 'status')] : []),
    ...(breaks !== undefined && example !== undefined ? [both('breaks', 'example')] : []),
    ...(body !== undefined && breaks !== undefined ? [both('body', 'breaks')] : []),
    ...(body !== undefined && example !== undefined ? [both('body', 'example')] : []),
    ...(body !== undefined && failure !== null ? [both('body', failure)] : []),
    ...(body !== undefined && patch !== undefined ? [both('body', 'patch')] : []),
    ...(breaks !== undefined && patch !== undefined ? [both('breaks', 'patch')] : []),
    ...(body === undefined && hasContentType(headers) ? ['headers: Content-Type needs a body'] : []),
    ...(failure !== null && breaks !== undefined ? [both('breaks', failure)] : []),
    ...(failure !== null && example !== undefined ? [both('example', failure)] : []),
    ...(failure !== null && typeof status === 'number' && status < 400
      ? [`${failure} applies to failures only; ${status} is not one`]
      : []),
  ]
}

const hasContentType = (headers: Scenario['headers']): boolean =>
  isPlainObject(headers) && Object.keys(headers).some(name => name.toLowerCase() === 'content-type')

const isWhole = (value: unknown, min: number, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
