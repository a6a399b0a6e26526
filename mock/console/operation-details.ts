import {
  type Contract,
  isObject,
  type Json,
  type Media,
  type Obligation,
  type Parameter,
  placesOf,
  type Scheme,
  valueAt,
} from '../../spec/index.ts'
import type {
  FieldDetails,
  MediaTypeDetails,
  ObligationSummary,
  OperationDetails,
  OperationSummary,
} from './messages.ts'
import { placeText } from './place-text.ts'
import { schemaLines } from './schema-lines.ts'
import type { ServedOperation } from './served-operations.ts'

export const operationSummaryOf = ({
  operation,
  prefix,
}: Pick<ServedOperation, 'operation' | 'prefix'>): OperationSummary => ({
  id: operation.id,
  method: operation.method,
  path: prefix + operation.path,
  summary: operation.summary,
  statuses: operation.responses.map(({ status }) => status),
})

/** Everything about one operation, for people to read. */
export const operationDetailsOf = ({
  contract,
  operation,
  prefix,
  obligations,
  engine,
}: ServedOperation): OperationDetails => ({
  ...operationSummaryOf({ operation, prefix }),
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
  media.map(({ type, schema }) => ({ type, lines: schemaLinesAt(contract, schema) }))

const schemaLinesAt = ({ document }: Contract, schema: string | null) =>
  schema === null ? [] : schemaLines(placesOf(document, schema))

const fieldDetails = (
  contract: Contract,
  { name, required, schema, pointer }: Pick<Parameter, 'name' | 'required' | 'schema' | 'pointer'>,
  location: string,
): FieldDetails => ({
  name,
  in: location,
  required,
  description: descriptionAt(contract, pointer),
  lines: schemaLinesAt(contract, schema),
})

const schemeText = (scheme: Scheme): string => {
  switch (scheme.kind) {
    case 'bearer':
      return 'Authorization: Bearer …'
    case 'basic':
      return 'Authorization: Basic …'
    case 'apiKey':
      return `${scheme.key} (${scheme.in})`
    case 'other':
      return `${scheme.type} (not checked)`
  }
}
