import type { BodyFormat, BodyPart, Contract, Operation, Parameter } from '../contract/contract.ts'
import { header, mediaType, takesMedia } from '../http/exchange.ts'
import type { FormPart } from '../http/multipart.ts'
import { step } from '../json/pointer.ts'
import { partLocation } from '../obligations/value-location.ts'
import { constraintText } from '../schema/constraint-text.ts'
import { placesOf } from '../schema/locations.ts'
import { readHeader } from '../serialization/parse-parameter.ts'
import { errorCodes, type RequestViolation, requestViolation } from './request-violation.ts'

/** What the parts of a `multipart/form-data` body violate besides the schema of their values. */
export type PartJudge = (parts: readonly FormPart[]) => readonly RequestViolation[]

export const createPartJudge = (
  contract: Contract,
  operation: Operation,
  { parts: declared }: Extract<BodyFormat, { kind: 'multipart' }>,
): PartJudge => {
  const judged = declared.filter(({ types, headers }) => types.length > 0 || headers.length > 0)
  const headerJudges = new Map(
    judged.flatMap(part => part.headers.map(each => [each, headerProblem(contract, each)] as const)),
  )
  return parts => {
    const violations: RequestViolation[] = []
    for (const part of judged)
      for (const sent of parts.filter(({ name }) => name === part.name)) {
        const violation = (header: string | null, message: string): RequestViolation =>
          requestViolation(
            operation.id,
            { kind: 'part', part: part.name, header },
            {
              part: 'body',
              code: errorCodes.partWrong,
              message: `${step('', part.name)} ${message}`,
              at: partLocation(part.name),
            },
          )
        const wrong = wrongType(part, sent)
        if (wrong !== null)
          violations.push(
            violation(null, `must be sent as ${part.types.join(' or ')}, not ${wrong.slice(0, 80)}`),
          )
        for (const each of part.headers) {
          const problem = headerJudges.get(each)?.(sent) ?? null
          if (problem !== null) violations.push(violation(each.name, problem))
        }
      }
    // Each item of a list is a part.
    return [...new Map(violations.map(violation => [violation.id, violation])).values()]
  }
}

/** The media type of a part if it is another one than the document declares; null if it is right. */
const wrongType = ({ types }: BodyPart, { contentType }: FormPart): string | null => {
  const type = mediaType(contentType) ?? 'text/plain'
  return types.length === 0 || types.some(range => takesMedia(range, type)) ? null : type
}

/** What is wrong with a header of a part, as a predicate; null: nothing. */
const headerProblem = (
  { requests: { document, schemas } }: Contract,
  parameter: Parameter,
): ((part: FormPart) => string | null) => {
  const { name, required, schema } = parameter
  const root = schema === null ? null : placesOf(document, schema)
  const validate = schema === null ? null : schemas.validator(schema)
  return ({ headers }) => {
    const text = header(headers, name.toLowerCase())
    if (text === null) return required ? `must have the header ${name}` : null
    const [first] = validate?.(readHeader(parameter, root, text)) ?? []
    return first === undefined
      ? null
      : `must have a header ${name} that must ${constraintText(first.keyword, first.constraint)}`
  }
}
