import {
  type Contract,
  headerIn,
  isOfBody,
  type Pointer,
  parentOf,
  placeOf,
  placesOf,
  type SchemaPlace,
  step,
  type ValueLocation,
} from '../../spec/index.ts'
import type { Counterexample, Side } from './counterexample.ts'
import type { Touch } from './difference.ts'

/** Where the document that rules an example out says so. */
export const rulePointer = (
  { operation, requirement }: Side,
  { requirement: id, part, status }: Counterexample,
): Pointer =>
  requirement(id)?.clause.pointer ??
  (part === 'request'
    ? operation.body?.pointer
    : operation.responses.find(response => response.status === String(status))?.pointer) ??
  operation.pointer

/** Where the document that allows an example says something of the same: the keyword, else the schema of the value or the part. */
export const counterpart = ({ contract, operation }: Side, counterexample: Counterexample): Pointer => {
  const { part, subject, at, schema, status } = counterexample
  const { document } = part === 'request' ? contract.requests : contract.responses
  if (schema !== null && (part === 'request' || at !== null)) {
    const [pattern, keyword] = placeIn(subject)
    return pointerIn(placesOf(document, schema), pattern, keyword)
  }
  const parameter = operation.parameters.find(each => each.in === at?.in && each.name === at.name)
  const response = operation.responses.find(each => each.status === String(status))
  const header = headerIn(subject)
  return (
    parameter?.pointer ??
    response?.headers.find(({ name }) => name.toLowerCase() === header)?.pointer ??
    response?.pointer ??
    (part === 'request' && at !== null && isOfBody(at) ? operation.body?.pointer : undefined) ??
    operation.pointer
  )
}

/** The place and the keyword that a requirement is about; what is missing has a place of its own. */
const placeIn = (subject: Counterexample['subject']): readonly [pattern: Pointer, keyword: string] => {
  switch (subject.kind) {
    case 'response':
      return subject.aspect === 'schema' ? [subject.place, subject.keyword] : ['', '']
    case 'keyword': {
      const { place } = subject.location
      return [subject.keyword === 'required' ? step(place, subject.detail) : place, subject.keyword]
    }
    case 'part':
      return [step('', subject.part), '']
    default:
      return ['', '']
  }
}

const pointerIn = (root: SchemaPlace, pattern: Pointer, keyword: string): Pointer => {
  const place = nearest(root, pattern)
  const use = place.pattern === pattern ? place.keywords.find(each => each.keyword === keyword) : undefined
  // Not the reference to a schema, but what it refers to.
  return use?.pointer ?? place.schemas.at(1) ?? place.schemas[0] ?? ''
}

const nearest = (root: SchemaPlace, pattern: Pointer): SchemaPlace =>
  placeOf(root, pattern) ?? (pattern === '' ? root : nearest(root, parentOf(pattern)))

/** The file and the line of a place. */
export const placeAt = (contract: Contract, pointer: Pointer | null) =>
  pointer === null ? null : contract.place(pointer)

/** A difference that every request of the operation meets. */
export const wholeOperation = (operation: string): Touch => ({
  operation,
  sent: null,
  isMissing: false,
  served: null,
})

/** What of an operation an example is about; the whole of it, if it is about no value. */
export const touchOf = (operation: string, { subject }: Counterexample): Touch => {
  const whole = wholeOperation(operation)
  switch (subject.kind) {
    case 'response':
      return subject.aspect === 'schema'
        ? { ...whole, served: { status: subject.status, place: subject.place } }
        : whole
    case 'keyword': {
      const { location, keyword, detail } = subject
      return keyword === 'required'
        ? { ...whole, sent: partOf({ ...location, place: step(location.place, detail) }), isMissing: true }
        : { ...whole, sent: partOf(location) }
    }
    case 'missing-parameter':
      return { ...whole, sent: partOf(subject.location), isMissing: true }
    case 'no-body':
      return subject.name === 'empty-object'
        ? { ...whole, sent: 'body' }
        : { ...whole, sent: 'body', isMissing: true }
    case 'malformed':
    case 'media':
      return { ...whole, sent: 'body' }
    default:
      return whole
  }
}

/** As a `Usage` names it: of a parameter the whole, as little as it is. */
const partOf = (location: ValueLocation): string =>
  isOfBody(location) ? `body${location.place}` : `${location.in}/${location.name}`
