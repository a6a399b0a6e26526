import {
  asNode,
  authorizationSchemes,
  type Contract,
  isObject,
  type Json,
  type Media,
  type Obligation,
  type Parameter,
  type Scheme,
  valueAt,
  whereText,
} from '../../spec/index.ts'
import type {
  FieldDetails,
  MediaTypeDetails,
  ObligationSummary,
  OperationDetails,
  OperationSummary,
} from './messages.ts'
import { inputOf, uploadOf } from './samples/sample-request.ts'
import { schemaLines } from './schema-lines.ts'
import type { ServedOperation } from './served-operations.ts'

export const operationSummaryOf = ({
  contract,
  operation,
  prefix,
  index,
}: Pick<ServedOperation, 'contract' | 'operation' | 'prefix' | 'index'>): OperationSummary => ({
  id: operation.id,
  method: operation.method,
  path: prefix + operation.path,
  summary: operation.summary,
  statuses: operation.responses.map(({ status }) => status),
  tag: tagsAt(contract, operation.pointer)[0] ?? '',
  document: index,
})

/** The operations of a document, those of one tag together, in the order in which the document lists its tags. */
export const inOrderOfTags = (document: Contract['document'], operations: readonly OperationSummary[]) => {
  const listed = Array.isArray(document.tags) ? document.tags.map(tag => String(asNode(tag).name)) : []
  const tags = [...new Set([...listed, ...operations.map(({ tag }) => tag)])]
  const groups = Map.groupBy(operations, ({ tag }) => tag)
  return tags.flatMap(tag => groups.get(tag) ?? [])
}

const tagsAt = (contract: Contract, pointer: string): readonly string[] => {
  const { tags } = nodeAt(contract, pointer)
  return Array.isArray(tags) ? tags.map(String) : []
}

/** Everything about one operation, for people to read. */
export const operationDetailsOf = ({
  contract,
  operation,
  prefix,
  index,
  obligations,
  engine,
}: ServedOperation): OperationDetails => ({
  ...operationSummaryOf({ contract, operation, prefix, index }),
  description: descriptionAt(contract, operation.pointer),
  place: placeText(contract, operation.pointer),
  security: operation.security.map(schemes => schemes.map(schemeText).join(' and ') || 'none'),
  parameters: operation.parameters.map(parameter => fieldDetails(contract, parameter, parameter.in)),
  bodies: mediaTypeDetails(contract, operation.body?.media ?? []),
  bodyRequired: operation.body?.required === true,
  responses: operation.responses.map(({ status, media, headers, pointer }) => ({
    status,
    description: descriptionAt(contract, pointer),
    media: mediaTypeDetails(contract, media),
    headers: headers.map(header => fieldDetails(contract, header, 'header')),
    examples: media.flatMap(({ pointer }) => Object.keys(nodeAt(contract, pointer).examples ?? {})),
  })),
  rules: engine.fitting?.sentencesOf(engine, operation) ?? [],
  obligations: obligations().map(obligation => obligationSummary(contract, obligation)),
})

const obligationSummary = (
  contract: Contract,
  { id, family, level, requirement, clause, subject }: Obligation,
): ObligationSummary => ({
  id,
  family,
  level,
  requirement,
  place: placeText(contract, clause.pointer),
  rule: clause.rule,
  isExercisable:
    subject.kind !== 'stability' && subject.kind !== 'unspecified' && subject.kind !== 'protocol',
})

const nodeAt = ({ document }: Contract, pointer: string): Readonly<Record<string, object | undefined>> => {
  const node = valueAt(document, pointer) as Json | undefined
  return isObject(node) ? (node as Readonly<Record<string, object>>) : {}
}

const descriptionAt = (contract: Contract, pointer: string): string => {
  const { description } = nodeAt(contract, pointer)
  return typeof description === 'string' ? description : ''
}

const mediaTypeDetails = (contract: Contract, media: readonly Media[]): readonly MediaTypeDetails[] =>
  media.map(({ type, schema, format, sentAs }) => ({
    type,
    lines: schemaLinesAt(contract, schema),
    upload: uploadOf((sentAs ?? { format }).format),
  }))

const schemaLinesAt = ({ document }: Contract, schema: string | null) =>
  schema === null ? [] : schemaLines(document, schema)

const fieldDetails = (
  contract: Contract,
  { name, required, schema, content, pointer }: Omit<Parameter, 'in' | 'style' | 'explode'>,
  location: string,
): FieldDetails => ({
  name,
  in: location,
  required,
  description: descriptionAt(contract, pointer),
  input: inputOf(contract, { schema, content }),
  lines: schemaLinesAt(contract, schema),
})

const schemeText = (scheme: Scheme): string => {
  switch (scheme.kind) {
    case 'apiKey':
      return `${scheme.key} (${scheme.in})`
    case 'other':
      return `${scheme.type} (not checked)`
    default:
      return `Authorization: ${authorizationSchemes[scheme.kind].name} …`
  }
}

/** `openapi.yaml:41`: file and line of a place in the document. */
export const placeText = (contract: Contract, pointer: string): string => whereText(contract.place(pointer))
