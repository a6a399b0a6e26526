import { STATUS_CODES } from 'node:http'
import {
  asNode,
  type Contract,
  canonical,
  type ExchangeEvent,
  type Finding,
  header,
  isArray,
  isNumber,
  isObject,
  type Json,
  type Ledger,
  mediaType,
  numberText,
  type Operation,
  type Pointer,
  parentOf,
  plural,
  readJson,
  responseFor,
  type Subject,
  step,
  steps,
  typeOf,
  valueAt,
} from '../../spec/index.ts'
import { type Found, isServerError, type Suggestion, sentIn } from './suggestion.ts'

type ResponseSubject = Extract<Subject, { kind: 'response' }>
type Answered = Finding & { readonly outcome: Extract<Finding['outcome'], { kind: 'response' }> }

/** What the responses of a server show that the document does not declare. */
export const responseSuggestions = (contract: Contract, found: readonly Found[]): readonly Suggestion[] =>
  found.flatMap(({ finding, obligation: { subject, operation: id, clause } }): readonly Suggestion[] => {
    const operation = contract.operations.find(each => each.id === id)
    if (subject.kind !== 'response' || operation === undefined || isServerError(finding)) return []
    const answered = finding as Answered
    switch (subject.aspect) {
      case 'content-type':
        return mediaSuggestions(contract, operation, subject.status, answered)
      case 'schema':
        // What is wrong after an invalid request was accepted says nothing of valid ones.
        return finding.expectation === 'reject'
          ? []
          : schemaSuggestions(contract, subject, clause.pointer, answered)
      default:
        return []
    }
  })

/** A response whose status an operation does not declare, and how it was asked for. */
type Undeclared = Pick<ExchangeEvent, 'request'> & {
  readonly operation: Operation
  readonly outcome: Extract<ExchangeEvent['outcome'], { kind: 'response' }>
  readonly finding: string | null
}

/** Whether a request is for an operation: that of a chain may end with one for another. */
const isRequestFor = ({ method, path }: Operation, request: Finding['request']): boolean => {
  const segments = path.split('/').slice(1)
  const sent = (request.target.split('?')[0] ?? '').split('/').slice(-segments.length)
  return (
    request.method === method &&
    sent.length === segments.length &&
    segments.every((segment, index) => segment.includes('{') || segment === sent[index])
  )
}

/** The statuses that operations were seen to answer, and do not declare: also those that no finding tells, as the document is vague there. */
export const statusSuggestions = (
  contract: Contract,
  { entries, exchanges }: Ledger,
  found: readonly Found[],
): readonly Suggestion[] => {
  const operations = new Map(contract.operations.map(each => [each.id, each]))
  const operationOf = new Map(
    entries.flatMap(({ obligation: { id, family, operation } }) => {
      const known = operations.get(operation)
      // How HTTP itself is handled, and open questions, are not for the document to say.
      return known === undefined || family === 'protocol' || family === 'unspecified'
        ? []
        : [[id, known] as const]
    }),
  )
  const seen: readonly Undeclared[] = [
    ...found.flatMap(({ finding: { id, request, outcome, step: index }, obligation }) => {
      const operation = operations.get(obligation.operation)
      const { subject } = obligation
      const isOfStatus = subject.kind === 'response' && subject.aspect === 'declared' && index === undefined
      return isOfStatus && operation !== undefined && outcome.kind === 'response'
        ? [{ operation, request, outcome, finding: id }]
        : []
    }),
    ...exchanges.flatMap(({ obligation, request, outcome }) => {
      const operation = operationOf.get(obligation)
      return operation !== undefined && outcome.kind === 'response' && isRequestFor(operation, request)
        ? [{ operation, request, outcome, finding: null }]
        : []
    }),
  ].filter(({ operation, outcome: { status } }) => status < 500 && responseFor(operation, status) === null)
  const byStatus = Map.groupBy(seen, ({ operation, outcome }) => `${operation.id} ${outcome.status}`)
  return [...byStatus.values()].map(alike => {
    const [first] = alike as [Undeclared, ...Undeclared[]]
    const { operation, outcome } = first
    const { status } = outcome
    const type = typeIn(first)
    const content =
      type === null || outcome.body.bytes === 0
        ? {}
        : contract.convertedFrom === null
          ? { content: { [type]: { schema: {} } } }
          : { schema: {} }
    const cases = alike.filter(({ finding }) => finding === null).length
    return {
      pointer: step(operation.pointer, 'responses'),
      update: { [String(status)]: { description: STATUS_CODES[status] ?? String(status), ...content } },
      evidence: `${sentIn(first)} was answered ${status}${type === null ? '' : ` with ${type}`}${cases > 1 ? `, as in ${plural(cases, 'recorded case')}` : ''}.`,
      findings: alike.flatMap(({ finding }) => finding ?? []),
    }
  })
}

const mediaSuggestions = (
  contract: Contract,
  operation: Operation,
  status: string,
  finding: Answered,
): readonly Suggestion[] => {
  const response = operation.responses.find(each => each.status === status)
  const type = typeIn(finding)
  if (response === undefined || type === null) return []
  const evidence = `${sentIn(finding)} was answered ${finding.outcome.status} with ${type}.`
  const findings = [finding.id]
  if (contract.convertedFrom === null)
    return [
      { pointer: response.pointer, update: { content: { [type]: { schema: {} } } }, evidence, findings },
    ]
  const others = response.media.map(media => media.type)
  return [{ pointer: operation.pointer, update: { produces: [...others, type] }, evidence, findings }]
}

const typeIn = ({ outcome }: Pick<Answered, 'outcome'>): string | null =>
  mediaType(header(outcome.headers, 'content-type') ?? '') ?? null

const schemaSuggestions = (
  contract: Contract,
  { place, keyword }: Extract<ResponseSubject, { aspect: 'schema' }>,
  pointer: Pointer,
  finding: Answered,
): readonly Suggestion[] => {
  const findings = [finding.id]
  const evidence = `${sentIn(finding)}: ${finding.title}.`
  const schema = parentOf(pointer)
  const values = valuesAt(bodyOf(finding), keyword === 'required' ? [] : steps(place))
  switch (keyword) {
    case 'type': {
      const types = [...new Set(values.map(typeOf))]
      return types.includes('null') ? nullable(contract, schema, evidence, findings) : []
    }
    case 'required': {
      const name = steps(place).at(-1) ?? ''
      const names = valueAt(contract.document, pointer)
      return [
        Array.isArray(names) && names.length === 1
          ? { pointer, evidence, findings }
          : { pointer, item: name, evidence, findings },
      ]
    }
    case 'enum': {
      const known = valueAt(contract.document, pointer)
      const listed = new Set(Array.isArray(known) ? known.map(value => canonical(value as Json)) : [])
      return values
        .filter(value => !listed.has(canonical(value)) && !isArray(value) && !isObject(value))
        .map(value => ({
          ...{ pointer, evidence, findings },
          update: isNumber(value) ? Number(numberText(value)) : value,
        }))
    }
    default:
      // What is made of other schemas cannot be changed without knowing what was meant.
      return combining.has(keyword) ? [] : [{ pointer, evidence, findings }]
  }
}

const combining: ReadonlySet<string> = new Set([
  ...['schema', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas'],
  ...['contains', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', '$ref', 'const'],
])

const bodyOf = ({ outcome: { body } }: Answered): Json | undefined => {
  const reading = body.encoding === 'utf8' ? readJson(Buffer.from(body.data)) : null
  return reading?.ok === true ? reading.value : undefined
}

/** The values at a place, where a star stands for each item or each other property. */
const valuesAt = (value: Json | undefined, [first, ...rest]: readonly string[]): readonly Json[] => {
  if (value === undefined) return []
  if (first === undefined) return [value]
  if (isArray(value)) return value.flatMap(item => valuesAt(item, rest))
  if (!isObject(value)) return []
  const within =
    first === '*' ? Object.values(value) : Object.hasOwn(value, first) ? [value[first] as Json] : []
  return within.flatMap(each => valuesAt(each, rest))
}

/** That a value may also be null, as the version of the document says it. */
export const nullable = (
  contract: Contract,
  schema: Pointer,
  evidence: string,
  findings: readonly string[],
): readonly Suggestion[] => {
  const node = asNode(valueAt(contract.document, schema))
  const of = { evidence, findings }
  const listed = Array.isArray(node.enum) && !node.enum.includes(null)
  const inList: readonly Suggestion[] = listed ? [{ pointer: step(schema, 'enum'), update: null, ...of }] : []
  if (contract.convertedFrom !== null)
    return [{ pointer: schema, update: { 'x-nullable': true }, ...of }, ...inList]
  if (contract.openapi.startsWith('3.0'))
    return [{ pointer: schema, update: { nullable: true }, ...of }, ...inList]
  return Array.isArray(node.type)
    ? [{ pointer: step(schema, 'type'), update: 'null', ...of }, ...inList]
    : [{ pointer: schema, update: { type: [node.type, 'null'] }, ...of }, ...inList]
}
