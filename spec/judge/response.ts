import type { Contract, DeclaredResponse, Operation } from '../contract/contract.ts'
import { decodedBody } from '../http/content-encoding.ts'
import { describeResponse } from '../http/describe-response.ts'
import {
  type HttpResponse,
  header,
  isJsonMedia,
  mediaFor,
  mediaType,
  problemType,
  takesMedia,
} from '../http/exchange.ts'
import { type Json, readJson } from '../json/json.ts'
import { duplicateNames } from '../json/scan.ts'
import { echoesOf } from '../obligations/echo.ts'
import { operationContext } from '../obligations/operation-context.ts'
import { isRange, judgedMedia } from '../obligations/response-media.ts'
import { responseFor } from '../routes/response-for.ts'
import { placesOf } from '../schema/locations.ts'
import { shortText } from '../text/shown-text.ts'
import { problemViolations } from './problem-details.ts'
import { type BodySchema, type BodyViolation, echoesBroken, schemaViolations } from './response-body.ts'
import { type HeaderJudge, headerJudges } from './response-headers.ts'
import { type ItemsJudge, itemsJudges, itemsViolation } from './response-items.ts'
import { textViolations } from './response-text.ts'
import { type DeclaredAspect, type ResponseViolation, responseViolation } from './response-violation.ts'

/**
 * `sent`: the JSON body of the request if the response may have to repeat it; undefined if not. `written`: the value that a body in JSON
 * was written from, if that is known: it need not be read again.
 */
export type ResponseJudge = (
  response: HttpResponse,
  sent: Json | undefined,
  written?: Json | undefined,
) => readonly ResponseViolation[]

const unread = new WeakSet<HttpResponse>()

/** Whether the body of a response that was judged goes beyond the limits of what is read (`jsonLimits`), so that it shows nothing. */
export const isUnread = (response: HttpResponse): boolean => unread.has(response)

/** A declared response with its compiled schemas. */
type CompiledResponse = {
  readonly declared: DeclaredResponse
  readonly bodies: readonly BodySchema[]
  readonly streams: readonly ItemsJudge[]
  readonly headers: readonly HeaderJudge[]
}

/**
 * Compiles the judge of one operation's responses: status, media type, bytes, schema and headers against what the
 * contract declares for the status, and the properties that the response has to repeat from the request.
 */
export const createResponseJudge = (contract: Contract, operation: Operation): ResponseJudge => {
  const compiled = new Map<DeclaredResponse, CompiledResponse>(
    operation.responses.map(declared => [
      declared,
      {
        declared,
        bodies: bodySchemas(contract, operation, declared),
        streams: itemsJudges(contract, declared),
        headers: headerJudges(contract, operation, declared),
      },
    ]),
  )
  return (response, sent, written) => {
    if (operation.responses.length === 0) return []
    const declared = responseFor(operation, response.status)
    const found = declared === null ? undefined : compiled.get(declared)
    if (found === undefined) return [undeclaredStatus(operation, response)]
    const ofHeaders = found.headers.flatMap(judge => judge(response))
    return found.declared.media.length === 0 || operation.method === 'HEAD'
      ? ofHeaders
      : [...ofHeaders, ...bodyViolations(operation, found, response, sent, written)]
  }
}

/** Each media type may have a schema of its own; the one that obligations are derived from comes first. */
const bodySchemas = (
  contract: Contract,
  operation: Operation,
  declared: DeclaredResponse,
): readonly BodySchema[] => {
  const context = operationContext(contract, operation)
  const { media } = declared
  const judged = judgedMedia(contract, declared)
  const first = judged?.first.media
  return [...media]
    .sort(
      (left, right) =>
        Number(right === first) - Number(left === first) || breadth(left.type) - breadth(right.type),
    )
    .flatMap(each => {
      const { type, schema } = each
      if (schema === null) return []
      const others = judged === null ? [] : [judged.first, ...judged.others]
      const root = placesOf(contract.responses.document, schema)
      return [
        {
          type,
          root,
          validate: contract.responses.schemas.validator(schema),
          // In a range each body says of what type it is.
          format: isRange(each) ? null : (others.find(({ media }) => media === each)?.format ?? null),
          echoes: echoesOf(context, declared, root),
        },
      ]
    })
}

// `application/json` before `application/*` before `*/*`.
const breadth = (type: string): number => type.split('*').length

const undeclaredStatus = (operation: Operation, response: HttpResponse): ResponseViolation =>
  responseViolation(
    operation.id,
    { aspect: 'declared' },
    {
      expected: `a declared status: ${operation.responses.map(({ status }) => status).join(', ')}`,
      actual: describeResponse(response),
      title: `answered ${response.status}, an undeclared status`,
    },
  )

/** What a response breaks as a whole. */
type WholeAspect = Exclude<DeclaredAspect['aspect'], 'schema' | 'header' | 'echo'>

const namesShown = 10

const listText = (names: readonly string[]): string => {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `${names.slice(0, namesShown).map(shortText).join(', ')}${more}`
}

const bodyViolations = (
  operation: Operation,
  { declared, bodies, streams }: CompiledResponse,
  response: HttpResponse,
  sent: Json | undefined,
  written: Json | undefined,
): readonly ResponseViolation[] => {
  const told = ({ aspect, title, ...shown }: BodyViolation): ResponseViolation =>
    responseViolation(
      operation.id,
      { ...aspect, status: declared.status },
      { ...shown, title: `answered ${response.status} ${title}` },
    )
  const violation = (
    aspect: WholeAspect,
    expected: string,
    actual: string,
    title: string,
    kind?: string,
  ): ResponseViolation =>
    told({ aspect: { aspect }, expected, actual, title, ...(kind === undefined ? {} : { kind }) })
  const type = mediaType(header(response.headers, 'content-type'))
  const types = declared.media.map(media => media.type)
  if (type === null)
    return [
      violation(
        'content-type',
        `Content-Type ${types.join(' or ')}`,
        'no Content-Type',
        'without a Content-Type',
        'absent',
      ),
    ]
  const received = header(response.headers, 'content-type')
  const all = mediaFor(declared.media, received)
  const shown = all.length === 0 && types.some(range => takesMedia(range, type)) ? (received ?? type) : type
  if (all.length === 0)
    return [
      violation(
        'content-type',
        `Content-Type ${types.join(' or ')}`,
        `Content-Type ${shortText(shown)}`,
        `as ${shortText(shown)} instead of ${types.join(' or ')}`,
        shortText(shown),
      ),
    ]
  const stream = streams.find(({ media }) => mediaType(media.type) === type)
  const broken = stream === undefined ? null : itemsViolation(stream, response)
  if (broken !== null) return [told(broken)]
  const [schema] = mediaFor(bodies, received)
  const isProblem = type === problemType
  if (schema === undefined && !isProblem) return []
  if (schema !== undefined && !isJsonMedia(type)) return textViolations(schema, response, sent).map(told)
  const ofValue = (value: Json): readonly ResponseViolation[] => {
    const unfit = schema?.validate(value) ?? []
    const ofSchema =
      schema === undefined
        ? []
        : [...schemaViolations(schema, unfit, value), ...echoesBroken(schema, unfit, value, sent)]
    return [...ofSchema, ...(isProblem ? problemViolations(value, response.status, unfit) : [])].map(told)
  }
  if (written !== undefined) return ofValue(written)
  const decoded = decodedBody(response)
  if ('problem' in decoded)
    return [
      violation(
        'encoding',
        'a body that can be decoded',
        decoded.problem,
        'with a body that cannot be decoded',
      ),
    ]
  const reading = readJson(decoded)
  // What goes beyond the limits of this reader may be JSON all the same.
  if (!reading.ok && reading.isBeyondLimits === true) {
    unread.add(response)
    return []
  }
  if (!reading.ok)
    return reading.problem.includes('UTF-8')
      ? [violation('encoding', 'UTF-8', reading.problem, 'with a body that is not UTF-8')]
      : [violation('json', 'JSON', reading.problem, 'with a body that is not JSON')]
  const duplicates = [...new Set(duplicateNames(reading.text))]
  const [repeated] = duplicates
  return [
    ...(reading.bom
      ? [
          violation(
            'bom',
            'no byte order mark',
            'a byte order mark before the JSON',
            'with a byte order mark before the JSON',
          ),
        ]
      : []),
    ...(repeated === undefined
      ? []
      : [
          violation(
            'duplicate-names',
            'each property once',
            `repeated: ${listText(duplicates)}`,
            `with \`${shortText(repeated)}\` twice in one object`,
          ),
        ]),
    ...ofValue(reading.value),
  ]
}
