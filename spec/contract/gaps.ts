import { step } from '../json/pointer.ts'
import type { Place } from '../openapi/diagnostic.ts'
import type { Contract } from './contract.ts'
import type { Operation } from './operation.ts'
import { declaresRejection, invalidParts, type RequestPart, successStatuses } from './rejection-statuses.ts'

/** What an operation declares no response to: invalid parts of a request, or any valid request. */
export type Gap = {
  readonly operation: string
  readonly kind: RequestPart | 'success'
  /** «declares no failure for an invalid body» */
  readonly message: string
  readonly place: Place
}

const missing = (kind: Gap['kind']): string =>
  kind === 'success' ? 'no success' : `no failure for ${invalidParts[kind]}`

/** The gaps of a document: requests whose response it does not declare, in the order of its operations. */
export const gapsOf = ({ operations, place }: Contract): readonly Gap[] =>
  operations.flatMap(operation =>
    kindsOf(operation).map(kind => ({
      operation: operation.id,
      kind,
      message: `declares ${missing(kind)}`,
      place: place(
        operation.responses.length === 0 ? operation.pointer : step(operation.pointer, 'responses'),
      ),
    })),
  )

const kindsOf = (operation: Operation): readonly Gap['kind'][] => {
  const { security, body, parameters } = operation
  const isPossible: Readonly<Record<RequestPart, boolean>> = {
    credentials: security.length > 0,
    media: body !== null,
    body: body !== null,
    parameter: parameters.some(({ schema }) => schema !== null),
  }
  const isGap = (part: RequestPart): boolean => isPossible[part] && !declaresRejection(operation, part)
  return [
    ...(successStatuses(operation).length === 0 ? (['success'] as const) : []),
    ...(['credentials', 'media', 'body', 'parameter'] as const).filter(isGap),
  ]
}

/** «no failure for an invalid body in 3 operations»: the gaps of a document by kind. */
export const gapSummary = (gaps: readonly Gap[]): string =>
  [...Map.groupBy(gaps, ({ kind }) => kind)]
    .map(([kind, { length }]) => `${missing(kind)} in ${length} ${length === 1 ? 'operation' : 'operations'}`)
    .join(', ')
