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
import { placeText } from './exchange.ts'
import type { Lodger } from './lodgers.ts'
import { schemaLines } from './schema-lines.ts'
import type { Field, MediaPart, ObligationLine, OperationLine, OperationSheet } from './shape.ts'

export const lineOf = ({ operation, prefix }: Pick<Lodger, 'operation' | 'prefix'>): OperationLine => ({
  id: operation.id,
  method: operation.method,
  path: prefix + operation.path,
  summary: operation.summary,
  statuses: operation.responses.map(({ status }) => status),
})

/** One operation of the contract, for a reader. */
export const sheetOf = ({ contract, operation, prefix, obligations }: Lodger): OperationSheet => ({
  ...lineOf({ operation, prefix }),
  description: descriptionAt(contract, operation.pointer),
  place: placeText(contract, operation.pointer),
  security: operation.security.map(together => together.map(schemeText).join(' and ') || 'none'),
  parameters: operation.parameters.map(parameter => fieldOf(contract, parameter, parameter.in)),
  bodies: mediaParts(contract, operation.body?.media ?? []),
  bodyRequired: operation.body?.required === true,
  responses: operation.responses.map(({ status, media, headers, pointer }) => ({
    status,
    description: descriptionAt(contract, pointer),
    media: mediaParts(contract, media),
    headers: headers.map(own => fieldOf(contract, own, 'header')),
    examples: media.flatMap(own => Object.keys(nodeAt(contract, own.pointer).examples ?? {})),
  })),
  obligations: obligations().map(obligation => lineOfObligation(contract, obligation)),
})

const lineOfObligation = (
  contract: Contract,
  { id, family, level, promise, clause, subject }: Obligation,
): ObligationLine => ({
  id,
  family,
  level,
  promise,
  place: placeText(contract, clause.pointer),
  rule: clause.rule,
  single: subject.kind !== 'load' && subject.kind !== 'open' && subject.kind !== 'wire',
})

const nodeAt = ({ document }: Contract, pointer: string): Readonly<Record<string, object | undefined>> => {
  const node = valueAt(document, pointer) as Json | undefined
  return isObject(node) ? (node as Readonly<Record<string, object>>) : {}
}

const descriptionAt = (contract: Contract, pointer: string): string => {
  const { description } = nodeAt(contract, pointer)
  return typeof description === 'string' ? description : ''
}

const mediaParts = (contract: Contract, media: readonly Media[]): readonly MediaPart[] =>
  media.map(({ type, schema }) => ({ type, lines: linesAt(contract, schema) }))

const linesAt = ({ document }: Contract, schema: string | null) =>
  schema === null ? [] : schemaLines(placesOf(document, schema))

const fieldOf = (
  contract: Contract,
  { name, required, schema, pointer }: Pick<Parameter, 'name' | 'required' | 'schema' | 'pointer'>,
  where: string,
): Field => ({
  name,
  in: where,
  required,
  description: descriptionAt(contract, pointer),
  lines: linesAt(contract, schema),
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
