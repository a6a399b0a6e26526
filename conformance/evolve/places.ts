import {
  type Contract,
  isOfBody,
  type Pointer,
  placeOf,
  placesOf,
  type SchemaPlace,
  steps,
} from '../../spec/index.ts'
import type { Apart } from './apart.ts'
import type { Side } from './side.ts'

/** Where the document that rules an example out says so. */
export const rulePointer = (
  { operation, requirement }: Side,
  { requirement: id, part, status }: Apart,
): Pointer =>
  requirement(id)?.clause.pointer ??
  (part === 'request'
    ? operation.body?.pointer
    : operation.responses.find(response => response.status === String(status))?.pointer) ??
  operation.pointer

/** Where the document that allows an example says something of the same: the keyword, else the schema of the value or the part. */
export const counterpart = ({ contract, operation }: Side, ruling: Side, apart: Apart): Pointer => {
  const { part, at, schema, status } = apart
  // The name of an operation may have slashes itself.
  const requirement = apart.requirement.slice(ruling.operation.id.length)
  const { document } = part === 'request' ? contract.requests : contract.responses
  if (schema !== null && requirement.includes(part === 'request' ? '/request/' : '/body')) {
    const [pattern, keyword] = placeIn(apart, requirement)
    return pointerIn(placesOf(document, schema), pattern, keyword)
  }
  const parameter = operation.parameters.find(each => each.in === at?.in && each.name === at.name)
  const response = operation.responses.find(each => each.status === String(status))
  const header = requirement.split('/headers/')[1]
  return (
    parameter?.pointer ??
    response?.headers.find(({ name }) => name.toLowerCase() === header)?.pointer ??
    response?.pointer ??
    (part === 'request' && at !== null && isOfBody(at) ? operation.body?.pointer : undefined) ??
    operation.pointer
  )
}

/** The place and the keyword that the id of a requirement names, without its operation. */
const placeIn = ({ at }: Apart, id: string): readonly [pattern: Pointer, keyword: string] => {
  const inside = at !== null && !isOfBody(at) ? after(id, `/request/${at.in}/${at.name}`) : after(id, '/body')
  const path = inside.replace(/\/(?:type\/[a-z]+|format\/[a-z]+|oneOf\/two)$/, each => `/${steps(each)[0]}`)
  return [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
}

const after = (text: string, part: string): string =>
  text.includes(part) ? text.slice(text.indexOf(part) + part.length) : ''

const pointerIn = (root: SchemaPlace, pattern: Pointer, keyword: string): Pointer => {
  const place = nearest(root, pattern)
  const use = place.pattern === pattern ? place.keywords.find(each => each.keyword === keyword) : undefined
  // Not the reference to a schema, but what it refers to.
  return use?.pointer ?? place.schemas.at(1) ?? place.schemas[0] ?? ''
}

const nearest = (root: SchemaPlace, pattern: Pointer): SchemaPlace =>
  placeOf(root, pattern) ??
  (pattern === '' ? root : nearest(root, pattern.slice(0, pattern.lastIndexOf('/'))))

/** The file and the line of a place. */
export const placeAt = (contract: Contract, pointer: Pointer | null) =>
  pointer === null ? null : contract.place(pointer)
