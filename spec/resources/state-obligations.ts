import type { Contract, Operation } from '../contract/contract.ts'
import { identityOf } from '../contract/identity.ts'
import type { Level, ObligationSpec } from '../obligations/obligation.ts'
import { operationContext } from '../obligations/operation-context.ts'
import type { StateName } from '../obligations/subject.ts'
import { article } from '../schema/schema-violation.ts'
import { resourcesOf } from './graph.ts'
import { declaredCreatorOf, givesJson, type Resource } from './resource.ts'

/** What holds of the resources that an operation creates, reads, lists, changes or removes; none if nobody creates or reads them. */
export const stateObligations = (contract: Contract, operation: Operation): readonly ObligationSpec[] =>
  resourcesOf(contract).resources.flatMap(resource => {
    const { read, noun } = resource
    const creator = declaredCreatorOf(resource)
    if (creator === null || read === null) return []
    const rows = [
      ...(creator === operation ? creationRows(contract, resource, operation, read) : []),
      ...(read === operation ? readingRows(resource, read) : []),
      ...(resource.list === operation ? listingRows(resource, operation) : []),
      ...(resource.replace === operation && creator !== operation
        ? replacementRows(operation, read, noun)
        : []),
      ...(resource.change === operation ? changeRows(operation, read, noun) : []),
      ...(resource.remove === operation ? removalRows(resource, operation, read) : []),
    ]
    return rows.map(row => specOf(row, resource, operation))
  })

type Row = {
  readonly name: StateName
  readonly level: Level
  readonly input: string
  readonly requirement: string
  readonly rfc?: string
}

const must = (name: StateName, input: string, requirement: string, rfc?: string): Row => ({
  name,
  level: 'MUST',
  input,
  requirement,
  ...(rfc === undefined ? {} : { rfc }),
})

const should = (name: StateName, input: string, requirement: string, rfc?: string): Row => ({
  ...must(name, input, requirement, rfc),
  level: 'SHOULD',
})

const asStored = (reader: string, instance: string, writer: string): string =>
  `${reader} returns ${instance} with the values sent to ${writer}, or the values in its response`

const creationRows = (
  contract: Contract,
  { parent, create, noun }: Resource,
  operation: Operation,
  read: Operation,
): readonly Row[] => {
  const { body } = operationContext(contract, operation)
  const hasBody = body !== null && givesJson(read)
  const isNamedInBody = body !== null && create !== null && identityOf(operation, body.root) !== null
  const hasLocation = operation.responses.some(
    ({ status, headers }) => /^2/.test(status) && headers.some(({ name }) => /^location$/i.test(name)),
  )
  const created = `${article(noun)} that was just created`
  return [
    must('read-back', created, `a created ${noun} can be read with ${read.id}`),
    ...(hasBody ? [must('stored', created, asStored(read.id, `a created ${noun}`, operation.id))] : []),
    must(
      'apart',
      `one created ${noun} after another`,
      `each created ${noun} gets an identifier of its own, and creating another ${noun} leaves it unchanged`,
    ),
    ...(hasLocation
      ? [
          should(
            'location',
            created,
            `${read.id} finds a created ${noun} at the Location of the response`,
            'RFC 9110 10.2.2',
          ),
        ]
      : []),
    ...(isNamedInBody && hasBody && declaresAbsence(read)
      ? [
          must(
            'rejected',
            'an invalid body with a new identifier',
            `${read.id} does not find ${article(noun)} that ${operation.id} rejected`,
          ),
        ]
      : []),
    ...(parent !== null && create !== null && declares(operation, '404')
      ? [
          must(
            'unknown-parent',
            `${article(noun)} below ${article(parent.noun)} that does not exist`,
            `${operation.id} creates no ${noun} below ${article(parent.noun)} that does not exist`,
          ),
        ]
      : []),
  ]
}

const readingRows = ({ parent, noun }: Resource, read: Operation): readonly Row[] => [
  must(
    'unchanged',
    `${article(noun)} that is read twice`,
    `${read.id} does not change the ${noun}`,
    'RFC 9110 9.2.1',
  ),
  ...(declares(read, '404') || declares(read, '410')
    ? [
        must(
          'unknown',
          `${article(noun)} that does not exist`,
          `${read.id} does not find ${article(noun)} that does not exist`,
        ),
      ]
    : []),
  ...(parent !== null && declares(read, '404')
    ? [
        should(
          'elsewhere',
          `${article(noun)} below another ${parent.noun} than its own`,
          `${read.id} does not find ${article(noun)} below another ${parent.noun} than its own`,
        ),
      ]
    : []),
]

const listingRows = ({ noun, create, replace }: Resource, list: Operation): readonly Row[] => {
  const input = `a list after ${article(noun)} was created`
  return [
    must('contains', input, `${list.id} lists a created ${noun}`),
    must('items', input, asStored(list.id, `a created ${noun}`, (create ?? replace ?? list).id)),
    must(
      'unchanged',
      `a list between two reads of ${article(noun)}`,
      `${list.id} does not change any ${noun}`,
      'RFC 9110 9.2.1',
    ),
  ]
}

const apart = (operation: Operation, noun: string): Row =>
  must('apart', `one ${noun} of several`, `${operation.id} leaves every other ${noun} as it is`)

const rejected = (operation: Operation, noun: string): Row =>
  must(
    'rejected',
    `a rejected request for ${article(noun)}`,
    `${operation.id} leaves the ${noun} as it is when it rejects the request`,
  )

const replacementRows = (operation: Operation, read: Operation, noun: string): readonly Row[] => [
  ...(operation.body === null
    ? []
    : [
        must(
          'stored',
          `${article(noun)} that was just replaced`,
          asStored(read.id, `a replaced ${noun}`, operation.id),
        ),
      ]),
  must(
    'repeated',
    'the same request twice',
    `the same ${operation.id} request twice has the effect of one`,
    'RFC 9110 9.2.2',
  ),
  apart(operation, noun),
  ...(operation.body === null ? [] : [rejected(operation, noun)]),
]

const changeRows = (operation: Operation, read: Operation, noun: string): readonly Row[] =>
  operation.body === null
    ? []
    : [
        must(
          'stored',
          `${article(noun)} that was just changed`,
          asStored(read.id, `a changed ${noun}`, operation.id),
        ),
        must(
          'kept',
          `${article(noun)} of which a part was changed`,
          `${operation.id} keeps the properties of the ${noun} that the request leaves out`,
          'RFC 5789 2',
        ),
        apart(operation, noun),
        rejected(operation, noun),
      ]

const removalRows = ({ list, noun }: Resource, operation: Operation, read: Operation): readonly Row[] => {
  const removed = `${article(noun)} that was just removed`
  const gone = `${read.id} does not find a removed ${noun}`
  return [
    (declaresAbsence(read) ? must : should)('gone', removed, gone, 'RFC 9110 9.3.5'),
    ...(list === null ? [] : [must('unlisted', removed, `${list.id} does not list a removed ${noun}`)]),
    must(
      'again',
      removed,
      `a second ${operation.id} for the same ${noun} is answered with a status below 500`,
      'RFC 9110 9.2.2',
    ),
    apart(operation, noun),
    ...(operation.security.length > 0 ? [rejected(operation, noun)] : []),
  ]
}

const declares = ({ responses }: Operation, status: string): boolean =>
  responses.some(response => response.status === status)

/** Whether an operation says how it answers that something does not exist. */
const declaresAbsence = (operation: Operation): boolean =>
  ['404', '410', '4XX', 'default'].some(status => declares(operation, status))

const specOf = (
  { name, level, input, requirement, rfc }: Row,
  { path }: Resource,
  { pointer }: Operation,
): ObligationSpec => ({
  family: 'state',
  level,
  input,
  requirement,
  pointer,
  ...(rfc === undefined ? {} : { rfc }),
  subject: { kind: 'state', name, path },
})
