import type { Contract, Operation } from '../contract/contract.ts'
import { identityOf } from '../contract/identity.ts'
import type { Level, ObligationSpec } from '../obligations/obligation.ts'
import { operationContext } from '../obligations/operation-context.ts'
import type { StateName } from '../obligations/subject.ts'
import { resourcesOf } from './graph.ts'
import { creatorOf, givesJson, type Resource } from './resource.ts'

/** What holds of the things that an operation creates, reads, lists, changes or removes; none if nobody creates or reads them. */
export const stateObligations = (contract: Contract, operation: Operation): readonly ObligationSpec[] =>
  resourcesOf(contract).resources.flatMap(resource => {
    const { read } = resource
    const creator = creatorOf(resource)
    if (creator === null || read === null) return []
    const rows = [
      ...(creator === operation ? creationRows(contract, resource, operation, read) : []),
      ...(read === operation ? readingRows(resource, read) : []),
      ...(resource.list === operation ? listingRows(read) : []),
      ...(resource.replace === operation && creator !== operation ? replacementRows(operation, read) : []),
      ...(resource.change === operation ? changeRows(operation, read) : []),
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

const creationRows = (
  contract: Contract,
  { parent, path, create }: Resource,
  operation: Operation,
  read: Operation,
): readonly Row[] => {
  const { body } = operationContext(contract, operation)
  const hasBody = body !== null && givesJson(read)
  const isNamedInBody = body !== null && create !== null && identityOf(operation, body.root) !== null
  const hasLocation = operation.responses.some(
    ({ status, headers }) => /^2/.test(status) && headers.some(({ name }) => /^location$/i.test(name)),
  )
  const created = 'a thing that was just created'
  return [
    must('read-back', created, `what it creates can be read back with ${read.id}`),
    ...(hasBody
      ? [
          must(
            'stored',
            created,
            `${read.id} gives what it created as it was sent, or as the response to it says`,
          ),
        ]
      : []),
    must(
      'apart',
      'two things that were created one after the other',
      `two things that it creates have names of their own, and ${read.id} gives each as it was created`,
    ),
    ...(hasLocation
      ? [
          should(
            'location',
            created,
            `the Location of its response is where ${read.id} finds the thing`,
            'RFC 9110 10.2.2',
          ),
        ]
      : []),
    ...(isNamedInBody && hasBody && declaresAbsence(read)
      ? [
          must(
            'rejected',
            'an invalid body with a new name',
            `what it rejects is not created: ${read.id} does not find it`,
          ),
        ]
      : []),
    ...(parent !== null && create !== null && declares(operation, '404')
      ? [
          must(
            'unknown-parent',
            `a path below something that does not exist`,
            `nothing is created below what does not exist (${parent.path} in ${path})`,
          ),
        ]
      : []),
  ]
}

const readingRows = ({ parent }: Resource, read: Operation): readonly Row[] => [
  must('unchanged', 'a thing that is read twice', 'reading a thing does not change it', 'RFC 9110 9.2.1'),
  ...(declares(read, '404') || declares(read, '410')
    ? [must('unknown', 'a name that nothing has', 'what does not exist is not found')]
    : []),
  ...(parent !== null && declares(read, '404')
    ? [
        should(
          'elsewhere',
          'a thing below another one than its own',
          'a thing is not found below another one than its own',
        ),
      ]
    : []),
]

const listingRows = (read: Operation): readonly Row[] => [
  must('contains', 'a list after something was created', 'the list contains what was created'),
  must(
    'items',
    'a list after something was created',
    'the list gives what was created as it was sent, or as the response to it says',
  ),
  must(
    'unchanged',
    'a list between two reads of a thing',
    `the list does not change what ${read.id} gives`,
    'RFC 9110 9.2.1',
  ),
]

const apart = (operation: Operation, read: Operation): Row =>
  must(
    'apart',
    'two things, of which one is changed',
    `${operation.id} leaves other things as they are for ${read.id}`,
  )

const rejected = (read: Operation): Row =>
  must(
    'rejected',
    'a rejected request for a thing',
    `what it rejects leaves the thing as it was for ${read.id}`,
  )

const replacementRows = (operation: Operation, read: Operation): readonly Row[] => [
  ...(operation.body === null
    ? []
    : [
        must(
          'stored',
          'a thing that was just replaced',
          `${read.id} gives what it stored as it was sent, or as the response to it says`,
        ),
      ]),
  must(
    'repeated',
    'the same request twice',
    `the same request twice has the effect of one for ${read.id}`,
    'RFC 9110 9.2.2',
  ),
  apart(operation, read),
  ...(operation.body === null ? [] : [rejected(read)]),
]

const changeRows = (operation: Operation, read: Operation): readonly Row[] =>
  operation.body === null
    ? []
    : [
        must(
          'stored',
          'a thing that was just changed',
          `${read.id} gives what it changed as it was sent, or as the response to it says`,
        ),
        must(
          'kept',
          'a thing of which a part was changed',
          `what a change leaves out stays as it was for ${read.id}`,
          'RFC 5789 2',
        ),
        apart(operation, read),
        rejected(read),
      ]

const removalRows = ({ list }: Resource, operation: Operation, read: Operation): readonly Row[] => {
  const absent = 'a thing that was just removed'
  return [
    declaresAbsence(read)
      ? must('gone', absent, `what it removed is not found by ${read.id}`, 'RFC 9110 9.3.5')
      : should('gone', absent, `what it removed is not found by ${read.id}`, 'RFC 9110 9.3.5'),
    ...(list === null ? [] : [must('unlisted', absent, `${list.id} does not list what it removed`)]),
    must('again', absent, 'removing a thing twice is answered as declared', 'RFC 9110 9.2.2'),
    apart(operation, read),
    ...(operation.security.length > 0 ? [rejected(read)] : []),
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
  path: `state/${name}`,
  family: 'state',
  level,
  input,
  requirement,
  pointer,
  ...(rfc === undefined ? {} : { rfc }),
  subject: { kind: 'state', name, path },
})
