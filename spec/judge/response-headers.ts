import type { Contract, DeclaredResponse, Operation } from '../contract/contract.ts'
import { type HttpResponse, header } from '../http/exchange.ts'
import { rateLimitProblem } from '../http/rate-limit.ts'
import { steps } from '../json/pointer.ts'
import { rateLimitNames } from '../obligations/rate-limit.ts'
import { parameterLocation } from '../obligations/value-location.ts'
import { placesOf } from '../schema/locations.ts'
import { constraintText } from '../schema/schema-violation.ts'
import { readHeader } from '../serialization/parse-parameter.ts'
import { unreadNames } from '../serialization/shown.ts'
import { shortText } from '../text/shown-text.ts'
import { violationMessage } from './request-violation.ts'
import { type ResponseViolation, responseViolation } from './response-violation.ts'

export type HeaderJudge = (response: HttpResponse) => readonly ResponseViolation[]

/** Compiles one judge for each declared header of a response, and one of its rate limit. */
export const headerJudges = (
  contract: Contract,
  operation: Operation,
  declared: DeclaredResponse,
): readonly HeaderJudge[] => [
  ...ownJudges(contract, operation, declared),
  ...rateLimitJudges(operation, declared),
]

const rateLimitJudges = (operation: Operation, declared: DeclaredResponse): readonly HeaderJudge[] => {
  const names = rateLimitNames(declared)
  if (names.length === 0) return []
  const aspect = { aspect: 'rate-limit', status: declared.status } as const
  return [
    ({ status, headers }) => {
      const problem = rateLimitProblem(names, status, headers)
      return problem === null
        ? []
        : [
            responseViolation(operation.id, aspect, {
              ...problem,
              title: `answered ${status} ${problem.title}`,
            }),
          ]
    },
  ]
}

const ownJudges = (
  contract: Contract,
  operation: Operation,
  { status, headers }: DeclaredResponse,
): readonly HeaderJudge[] =>
  headers.map(parameter => {
    const { name, required, schema } = parameter
    const root = schema === null ? null : placesOf(contract.responses.document, schema)
    const validate = schema === null ? null : contract.responses.schemas.validator(schema)
    const unread = root === null ? [] : unreadNames(parameter, root)
    const broken = (shown: Omit<ResponseViolation, 'id' | 'operation' | 'subject'>): ResponseViolation =>
      responseViolation(operation.id, { aspect: 'header', status, header: name }, shown)
    return response => {
      const text = header(response.headers, name.toLowerCase())
      if (text === null)
        return required
          ? [
              broken({
                expected: `the header ${name}`,
                actual: 'no such header',
                title: `answered ${response.status} without the header ${name}`,
                kind: 'absent',
              }),
            ]
          : []
      const value = readHeader(parameter, root, text)
      const violation = validate?.(value).find(({ at }) => !unread.includes(steps(at)[0] ?? ''))
      if (violation === undefined) return []
      return [
        broken({
          expected: violationMessage(parameterLocation(parameter), violation).replace(' parameter', ''),
          actual: text,
          title: `answered ${response.status} with ${shortText(text)} in the header ${name}, which must ${constraintText(violation.keyword, violation.constraint)}`,
        }),
      ]
    }
  })
