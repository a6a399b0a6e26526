import { breachMessage } from './breach.ts'
import type { Contract, Operation, ResponseClause } from './contract.ts'
import { decodedBody } from './decode.ts'
import { describeAnswer, short } from './describe.ts'
import { type Answer, header, isJsonMedia, mediaType, takesMedia } from './exchange.ts'
import { duplicateNames, isObject, type Json, type JsonObject, readJson, sameJson } from './json.ts'
import { bodyWhere, contextOf, jsonMedia, parameterWhere } from './obligations/context.ts'
import { dependentPlace, placeOf, placesOf, type SchemaPlace } from './places.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'
import { readParameter } from './read-parameter.ts'
import type { Validate, Violation } from './schema.ts'

/** One obligation that an answer breaks. */
export type Flaw = { readonly id: string; readonly wanted: string; readonly got: string }

export type AnswerJudge = (answer: Answer, sent: Json | undefined) => readonly Flaw[]

/** The response clause that describes a status: itself, its range, or `default`; null where it is not declared. */
export const clauseOf = (operation: Operation, status: number): ResponseClause | null =>
  operation.responses.find(response => response.status === String(status)) ??
  operation.responses.find(response => response.status === `${Math.floor(status / 100)}XX`) ??
  operation.responses.find(response => response.status === 'default') ??
  null

type Body = {
  readonly type: string
  readonly root: SchemaPlace
  readonly validate: Validate
  /** The properties that a request may carry as well. */
  readonly echoed: readonly string[]
}

/**
 * Compiles the judge of one operation's answers: status, media type, bytes, schema and headers, held to what is
 * declared for the status; and, where the JSON body that was `sent` is given, the echo.
 */
export const createAnswerJudge = (contract: Contract, operation: Operation): AnswerJudge => {
  const bodies = new Map(operation.responses.map(clause => [clause, bodiesOf(contract, operation, clause)]))
  const headers = new Map(
    operation.responses.map(clause => [clause, headerChecks(contract, operation, clause)]),
  )
  return (answer, sent) => {
    const clause = clauseOf(operation, answer.status)
    if (operation.responses.length === 0) return []
    if (clause === null) return [undeclared(operation, answer)]
    const flaws = headers.get(clause)?.flatMap(check => check(answer)) ?? []
    if (clause.media.length === 0 || operation.method === 'HEAD') return flaws
    return [...flaws, ...bodyFlaws(operation, clause, bodies.get(clause) ?? [], answer, sent)]
  }
}

/** Each media type may have its own schema; obligations are derived from the first JSON one. */
const bodiesOf = (contract: Contract, operation: Operation, { media }: ResponseClause): readonly Body[] => {
  const sendable = contextOf(contract, operation).body?.root.properties ?? []
  const first = jsonMedia(media)
  return [...media]
    .sort(
      (left, right) =>
        Number(right === first) - Number(left === first) || breadth(left.type) - breadth(right.type),
    )
    .flatMap(({ type, schema }) => {
      if (schema === null) return []
      const root = placesOf(contract.document, schema)
      const echoed = root.properties.filter(name => sendable.includes(name))
      return [{ type, root, validate: contract.schemas.validator(schema), echoed }]
    })
}

// `application/json` before `application/*` before `*/*`.
const breadth = (type: string): number => type.split('*').length

const undeclared = (operation: Operation, answer: Answer): Flaw => ({
  id: `${operation.id}/response/declared`,
  wanted: `a declared status: ${operation.responses.map(({ status }) => status).join(', ')}`,
  got: describeAnswer(answer),
})

const flawOf = (
  operation: Operation,
  clause: ResponseClause,
  path: string,
  wanted: string,
  got: string,
): Flaw => ({
  id: `${operation.id}/response/${clause.status}/${path}`,
  wanted,
  got,
})

const bodyFlaws = (
  operation: Operation,
  clause: ResponseClause,
  bodies: readonly Body[],
  answer: Answer,
  sent: Json | undefined,
): readonly Flaw[] => {
  const flaw = (path: string, wanted: string, got: string): Flaw =>
    flawOf(operation, clause, path, wanted, got)
  const type = mediaType(header(answer.headers, 'content-type'))
  const declared = clause.media.map(media => media.type)
  if (type === null || !declared.some(range => takesMedia(range, type)))
    return [
      flaw(
        'content-type',
        `Content-Type ${declared.join(' or ')}`,
        type === null ? 'no Content-Type' : `Content-Type ${type}`,
      ),
    ]
  const body = bodies.find(candidate => takesMedia(candidate.type, type))
  if (body === undefined || !isJsonMedia(type)) return []
  const decoded = decodedBody(answer)
  if ('problem' in decoded) return [flaw('encoding', 'a body that can be read', decoded.problem)]
  const reading = readJson(decoded)
  if (!reading.ok) {
    const utf8 = reading.problem.includes('UTF-8')
    return [flaw(utf8 ? 'encoding' : 'json', utf8 ? 'UTF-8' : 'JSON', reading.problem)]
  }
  const names = duplicateNames(reading.text)
  const violations = body.validate(reading.value)
  return [
    ...(reading.bom ? [flaw('bom', 'no byte order mark', 'a byte order mark before the JSON')] : []),
    ...(names.length > 0 ? [flaw('duplicate-names', 'each name once', `twice: ${names.join(', ')}`)] : []),
    ...schemaFlaws(operation, clause, body, violations, reading.value),
    // What breaks the schema cannot be what was sent: that says it all.
    ...echoFlaws(operation, clause, body, reading.value, sent)
      .filter(({ name }) => !violations.some(({ at }) => steps(at)[0] === name))
      .map(({ flaw }) => flaw),
  ]
}

const schemaFlaws = (
  operation: Operation,
  clause: ResponseClause,
  { root }: Body,
  violations: readonly Violation[],
  value: Json,
): readonly Flaw[] => {
  if (violations.length === 0) return []
  // A value of a wrong type breaks most other keywords of its place as well.
  const mistyped = new Set(
    violations
      .filter(violation => violation.keyword === 'type' && keywordPath(root, violation) !== null)
      .map(({ at }) => at),
  )
  const named = violations.flatMap(violation => {
    if (violation.keyword !== 'type' && mistyped.has(violation.at)) return []
    const path = keywordPath(root, violation)
    return path === null ? [] : [{ path, violation }]
  })
  const told =
    named.length > 0
      ? named
      : violations.slice(0, 1).map(violation => ({ path: restPath(root, violation), violation }))
  const flaws = told.map(({ path, violation }) =>
    flawOf(
      operation,
      clause,
      path,
      breachMessage(bodyWhere(''), violation),
      short(valueAt(value, violation.at) as Json | undefined),
    ),
  )
  return [...new Map(flaws.map(flaw => [flaw.id, flaw])).values()]
}

const keywordPath = (root: SchemaPlace, { at, keyword }: Violation): string | null => {
  const missing = keyword === 'required'
  const named = missing || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
  const place = placeOf(root, named ? at.slice(0, at.lastIndexOf('/')) : at)
  if (place === null || !place.keywords.some(use => use.keyword === keyword)) return null
  const pattern: Pointer = missing ? `${place.pattern}${at.slice(at.lastIndexOf('/'))}` : place.pattern
  return `body${pattern}/${keyword}`
}

/** What only a part of a composite keyword asks for, or stands too deep to have a name. */
const restPath = (root: SchemaPlace, { at }: Violation): string => {
  const place = dependentPlace(root, at)
  return place === null ? 'body/schema' : `body${place.pattern}/dependentSchemas`
}

const echoFlaws = (
  operation: Operation,
  clause: ResponseClause,
  { root, echoed }: Body,
  value: Json,
  sent: Json | undefined,
): readonly { readonly name: string; readonly flaw: Flaw }[] => {
  if (!/^2/.test(clause.status) || !isObject(sent) || !isObject(value)) return []
  const [asked, answered]: readonly [JsonObject, JsonObject] = [sent, value]
  return echoed.flatMap(name => {
    const wanted = asked[name]
    const got = answered[name]
    // What has a default is there without being sent.
    if (wanted === undefined && hasDefault(root, name)) return []
    if (wanted === undefined ? got === undefined : got !== undefined && sameJson(wanted, got)) return []
    const words =
      wanted === undefined
        ? `no \`${name}\`, as none was sent`
        : `\`${name}\` as it was sent: ${short(wanted)}`
    return [{ name, flaw: flawOf(operation, clause, `echo/${name}`, words, short(got)) }]
  })
}

const hasDefault = (root: SchemaPlace, name: string): boolean =>
  placeOf(root, step('', name))?.keywords.some(({ keyword }) => keyword === 'default') === true

const headerChecks = (
  contract: Contract,
  operation: Operation,
  clause: ResponseClause,
): readonly ((answer: Answer) => readonly Flaw[])[] =>
  clause.headers.map(({ name, required, schema, pointer }) => {
    const root = schema === null ? null : placesOf(contract.document, schema)
    const validate = schema === null ? null : contract.schemas.validator(schema)
    const parameter = {
      name,
      in: 'header',
      required,
      style: 'simple',
      explode: false,
      content: null,
      schema,
      pointer,
    } as const
    const path = `headers/${name.toLowerCase()}`
    return answer => {
      const text = header(answer.headers, name.toLowerCase())
      if (text === null)
        return required ? [flawOf(operation, clause, path, `the header ${name}`, 'no such header')] : []
      const value = readParameter(parameter, root, { path: {}, query: [], cookie: [], header: () => text })
      const violation = value === undefined ? undefined : validate?.(value)[0]
      if (violation === undefined) return []
      return [
        flawOf(
          operation,
          clause,
          path,
          breachMessage(parameterWhere(parameter), violation).replace(' parameter', ''),
          text,
        ),
      ]
    }
  })
