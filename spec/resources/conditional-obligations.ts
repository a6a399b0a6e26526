import type { Contract, Operation } from '../contract/contract.ts'
import { step } from '../json/pointer.ts'
import type { Level, ObligationSpec } from '../obligations/obligation.ts'
import type { ConditionName } from '../obligations/subject.ts'
import { article } from '../schema/schema-violation.ts'
import { resourcesOf } from './graph.ts'
import { headerParameter, needsCondition, readingLevel, writingLevel } from './request-headers.ts'
import { creatorOf, declaredCreatorOf, type Resource } from './resource.ts'

/** What holds of requests with conditions (RFC 9110, 13), where a document declares ETags for what the run can create and read. */
export const conditionalObligations = (contract: Contract, operation: Operation): readonly ObligationSpec[] =>
  resourcesOf(contract).resources.flatMap(resource => {
    const { read } = resource
    if (read === null || declaredCreatorOf(resource) === null) return []
    const rows = read === operation ? readingRows(resource, read) : writingRows(resource, operation, read)
    return rows.map(([name, level, input, requirement, rfc]) => ({
      family: 'conditional',
      level,
      input,
      requirement,
      pointer: pointerOf(operation, name),
      rfc,
      subject: { kind: 'state', name, path: resource.path },
    }))
  })

type Row = readonly [name: ConditionName, level: Level, input: string, requirement: string, rfc: string]

const readingRows = ({ noun }: Resource, read: Operation): readonly Row[] => {
  const level = readingLevel(read)
  if (level === null) return []
  const verb = verbAt(level)
  const rfc = 'RFC 9110 13.1.2'
  return [
    [
      'if-same',
      level,
      `If-None-Match with the ETag of ${article(noun)}`,
      `${read.id} ${verb('answers', 'answer')} 304 to If-None-Match with the ETag of the ${noun}`,
      rfc,
    ],
    [
      'if-other',
      level,
      'If-None-Match with another ETag',
      `${read.id} ${verb('gives', 'give')} the ${noun} in spite of If-None-Match with another ETag`,
      rfc,
    ],
  ]
}

const writingRows = (resource: Resource, operation: Operation, read: Operation): readonly Row[] => {
  const { noun, replace, change, remove } = resource
  const level = [replace, change, remove].includes(operation) ? writingLevel(operation, read) : null
  // What is created by the same request has no ETag yet.
  if (level === null || (creatorOf(resource) === operation && needsCondition(operation))) return []
  const verb = verbAt(level)
  const rfc = 'RFC 9110 13.1.1'
  const { id } = operation
  const isAbsentDerived = headerParameter(operation, 'If-Match')?.required === true
  return [
    [
      'if-old',
      level,
      `If-Match with an old ETag of ${article(noun)}`,
      `${id} ${verb('refuses', 'refuse')} If-Match with an old ETag, and ${verb('leaves', 'leave')} the ${noun} as it is`,
      rfc,
    ],
    [
      'if-current',
      level,
      `If-Match with the ETag of ${article(noun)}`,
      `${id} ${verb('accepts', 'accept')} If-Match with the ETag of the ${noun}`,
      rfc,
    ],
    [
      'if-any',
      level,
      `\`If-Match: *\` for ${article(noun)} that exists`,
      `${id} ${verb('accepts', 'accept')} \`If-Match: *\` for ${article(noun)} that exists`,
      rfc,
    ],
    ...(needsCondition(operation) && !isAbsentDerived
      ? [
          [
            'if-absent',
            'SHOULD',
            'a request without If-Match',
            `${id} should refuse a request without If-Match, and leave the ${noun} as it is`,
            'RFC 6585 3',
          ] as const,
        ]
      : []),
  ]
}

const verbAt =
  (level: Level) =>
  (must: string, should: string): string =>
    level === 'MUST' ? must : `should ${should}`

/** Where the document declares it: the header of the request, else the status that answers it, else the operation. */
const pointerOf = (operation: Operation, name: ConditionName): string => {
  const isRead = name === 'if-same' || name === 'if-other'
  const parameter = headerParameter(operation, isRead ? 'If-None-Match' : 'If-Match')
  const statuses = isRead ? ['304', '200'] : name === 'if-absent' ? ['428'] : ['412', '428']
  const response = statuses
    .map(status => operation.responses.find(declared => declared.status === status))
    .find(found => found !== undefined)
  return (
    (name === 'if-absent' ? undefined : parameter?.pointer) ??
    response?.pointer ??
    step(operation.pointer, 'responses')
  )
}
