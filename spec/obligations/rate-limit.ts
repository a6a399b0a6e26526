import type { DeclaredResponse } from '../contract/contract.ts'
import { type Headers, header } from '../http/exchange.ts'
import { isRateLimitRest, limitHeaderOf, rateLimitProblem } from '../http/rate-limit.ts'
import type { ObligationSpec } from './obligation.ts'

/** The headers of a response with a rest, if it declares a limit as well, or is answered to who has used it up. */
export const rateLimitNames = ({ status, headers }: DeclaredResponse): readonly string[] => {
  const declared = new Set(headers.map(({ name }) => name.toLowerCase()))
  const mayBe429 = ['429', '4XX', 'default'].includes(status)
  return headers
    .map(({ name }) => name)
    .filter(name => isRateLimitRest(name) && (mayBe429 || declared.has(limitHeaderOf(name).toLowerCase())))
}

/** That the headers of one response agree with each other and with its status. */
export const rateLimitObligation = (response: DeclaredResponse): readonly ObligationSpec[] => {
  const { status, headers } = response
  const [first] = rateLimitNames(response)
  const pointer = headers.find(({ name }) => name === first)?.pointer
  return pointer === undefined
    ? []
    : [
        {
          family: 'response',
          level: 'SHOULD',
          input: null,
          requirement: `the rate-limit headers of ${status === 'default' ? 'the default' : `a ${status}`} response leave no more requests than the limit${status === '429' ? ', and none' : ''}`,
          pointer,
          subject: { kind: 'response', aspect: 'rate-limit', status },
        },
      ]
}

/** The headers of a response with a rest that agrees with its limit, and with a 429. */
export const withRateLimit = (declared: DeclaredResponse, status: number, headers: Headers): Headers => {
  const names = rateLimitNames(declared)
  if (rateLimitProblem(names, status, headers) === null) return headers
  const isRest = (name: string): boolean => names.some(each => each.toLowerCase() === name.toLowerCase())
  return headers.map(([name, value]) => {
    if (!isRest(name)) return [name, value]
    return [name, status === 429 ? '0' : (header(headers, limitHeaderOf(name).toLowerCase()) ?? value)]
  })
}

export { limitHeaderOf }
