import type { Contract, Operation, Parameter } from '../contract/contract.ts'
import { type Headers, headerValues } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import type { Pointer } from '../json/pointer.ts'
import { parameterLocation } from '../obligations/value-location.ts'
import { placesOf } from '../schema/locations.ts'
import {
  cookiePairs,
  type ParameterSource,
  queryPairs,
  readParameter,
} from '../serialization/parse-parameter.ts'
import { unreadNames } from '../serialization/shown.ts'
import { judgeCredentials, type RightTokens } from './credentials.ts'
import { createBodyJudge } from './request-body.ts'
import { type LocatedSchema, schemaViolations } from './request-values.ts'
import { emptyValue, errorCodes, type RequestViolation, requestViolation } from './request-violation.ts'

/** A request as it arrived. */
export type ReceivedRequest = {
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Path values by name, percent-encoded. */
  readonly path: Readonly<Record<string, string>>
}

export type RequestJudgement = {
  /** What the request breaks, credentials first; empty if it is valid. */
  readonly violations: readonly RequestViolation[]
  /** The body, if it could be read. */
  readonly body: Json | undefined
  readonly parameters: Readonly<Record<string, Json>>
}

export type RequestJudge = (received: ReceivedRequest, tokens: RightTokens) => RequestJudgement

/** Compiles the judge of one operation's requests. */
export const createRequestJudge = (contract: Contract, operation: Operation): RequestJudge => {
  const located = (parameter: Parameter, schema: Pointer): LocatedSchema => {
    const root = placesOf(contract.requests.document, schema)
    return {
      location: parameterLocation(parameter),
      root,
      validate: contract.requests.schemas.validator(schema),
      schemas: contract.requests.schemas,
      unread: unreadNames(parameter, root),
    }
  }
  const parameters = operation.parameters.map(parameter => ({
    parameter,
    schema: parameter.schema === null ? null : located(parameter, parameter.schema),
  }))
  const judgeBody = createBodyJudge(contract, operation)
  const names = new Set(operation.parameters.map(({ name }) => name))
  for (const { kind, ...scheme } of operation.security.flat())
    if (kind === 'apiKey' && 'key' in scheme) names.add(scheme.key)
  return (received, tokens) => {
    const source = sourceOf(received, names)
    const credentials = judgeCredentials(operation, received.headers, source, tokens)
    const violations: RequestViolation[] = credentials === null ? [] : [credentials]
    const values: Record<string, Json> = {}
    for (const { parameter, schema } of parameters) {
      const value = readParameter(parameter, schema?.root ?? null, source)
      if (value === undefined) violations.push(...missing(operation, parameter))
      else {
        values[parameter.name] = value
        if (value === '' && parameter.allowEmpty !== null) violations.push(...empty(operation, parameter))
        else if (schema !== null) violations.push(...schemaViolations(operation, schema, value))
      }
    }
    const { violations: ofBody, body } = judgeBody(received)
    violations.push(...ofBody)
    return { violations, body, parameters: values }
  }
}

const sourceOf = (
  { target, headers, path }: ReceivedRequest,
  names: ReadonlySet<string>,
): ParameterSource => {
  const mark = target.indexOf('?')
  return {
    path,
    query: mark < 0 ? [] : queryPairs(target.slice(mark + 1)),
    header: name => joinedHeader(headers, name.toLowerCase(), ', '),
    cookie: cookiePairs(joinedHeader(headers, 'cookie', '; ')),
    names,
  }
}

// Lines of one name are one value (RFC 9110, 5.3).
const joinedHeader = (headers: Headers, name: string, joint: string): string | null => {
  const values = headerValues(headers, name)
  return values.length === 0 ? null : values.join(joint)
}

const missing = (operation: Operation, parameter: Parameter): readonly RequestViolation[] =>
  parameter.required
    ? [
        requestViolation(
          operation.id,
          { kind: 'missing-parameter', location: parameterLocation(parameter) },
          {
            part: 'parameter',
            code: errorCodes.parameterMissing,
            message: `the ${parameter.in} parameter ${parameter.name} is missing`,
            at: parameterLocation(parameter),
          },
        ),
      ]
    : []

/** `allowEmptyValue` says of an empty value whether it is right, whatever the schema. */
const empty = (operation: Operation, parameter: Parameter): readonly RequestViolation[] =>
  parameter.allowEmpty === true
    ? []
    : [
        requestViolation(operation.id, emptyValue(parameterLocation(parameter)), {
          part: 'parameter',
          code: errorCodes.parameterWrong,
          message: `the ${parameter.in} parameter ${parameter.name} must not be empty`,
          at: parameterLocation(parameter),
        }),
      ]
