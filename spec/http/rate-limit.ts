import { type Headers, header } from './exchange.ts'

/** Headers in which a response says how many requests a client may still send: `RateLimit-Remaining`, `X-RateLimit-Remaining-Hour`. */
const ofRest = /^(?:x-)?rate-?limit-remaining(?:-[\w-]+)?$/i

export const isRateLimitRest = (name: string): boolean => ofRest.test(name)

/** The header with the limit that such a header belongs to. */
export const limitHeaderOf = (name: string): string => name.replace(/remaining/i, 'Limit')

/** A rest and its limit, as a response has them; null: it has none, or none that is a whole number. A limit may be followed by its windows. */
type Window = { readonly name: string; readonly rest: number; readonly limit: number | null }

const windowsOf = (names: readonly string[], headers: Headers): readonly Window[] =>
  names.flatMap(name => {
    const rest = wholeNumber(header(headers, name.toLowerCase()))
    const limit = wholeNumber(header(headers, limitHeaderOf(name).toLowerCase()))
    return rest === null ? [] : [{ name, rest, limit }]
  })

const wholeNumber = (text: string | null): number | null => {
  const [, digits] = /^\s*(-?\d{1,15})\s*(?:[,;].*)?$/s.exec(text ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

/**
 * What the rate-limit headers of a response say that cannot be, as the end of a sentence; null: nothing. `names`: those of the headers with a rest. Where
 * nothing is limited, some servers have negative limits.
 */
export const rateLimitProblem = (
  names: readonly string[],
  status: number,
  headers: Headers,
): { readonly expected: string; readonly actual: string; readonly title: string } | null => {
  const windows = windowsOf(names, headers)
  const wrong = windows.find(({ rest, limit }) => limit !== null && limit >= 0 && (rest < 0 || rest > limit))
  if (wrong !== undefined)
    return {
      expected: `${wrong.name} from 0 to ${wrong.limit}, its limit`,
      actual: `${wrong.name}: ${wrong.rest}`,
      title: `with ${wrong.rest} in the header ${wrong.name}, although the limit is ${wrong.limit}`,
    }
  const [first] = windows
  // Of several windows one is used up.
  if (status !== 429 || first === undefined || windows.some(({ rest }) => rest <= 0)) return null
  return {
    expected: `${first.name}: 0`,
    actual: `${first.name}: ${first.rest}`,
    title: `although ${first.rest === 1 ? 'a request is' : `${first.rest} requests are`} left, as the header ${first.name} says`,
  }
}

/** When a limit of requests is reset (draft-ietf-httpapi-ratelimit-headers, and what came before it). */
const resetFields = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'] as const

/** Seconds until then; NaN if nothing says it. Some servers give the time instead, in seconds or milliseconds of Unix time. */
export const resetAfter = (headers: Headers, now: number): number => {
  const field = resetFields.map(name => header(headers, name)).find(value => value !== null)
  const reset = field ?? /(?:^|[;,])\s*(?:t|reset)=(\d+)/.exec(header(headers, 'ratelimit') ?? '')?.[1]
  if (reset === undefined || !/^\d+(?:\.\d+)?$/.test(reset.trim())) return Number.NaN
  const value = Number(reset)
  if (value < unixTime) return value
  return (value < unixTime * 1000 ? value : value / 1000) - now
}

/** Larger numbers are not seconds to wait. */
const unixTime = 1e9
