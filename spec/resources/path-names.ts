import type { Contract, Operation } from '../contract/contract.ts'
import type { Json } from '../json/json.ts'
import { placesOf } from '../schema/locations.ts'
import { isWaitName } from './names.ts'
import { withoutFormat } from './resource.ts'

/** The beginnings of a path that end in a parameter as a whole segment: `/shops/{shop}`, `/shops/{shop}/orders/{order}`. */
export const prefixesOf = (path: string): readonly string[] => {
  const segments = withoutFormat(path).split('/')
  return segments.flatMap((segment, index) =>
    /^\{[^{}]+\}$/.test(segment) ? [segments.slice(0, index + 1).join('/')] : [],
  )
}

export const outerPath = (path: string): string => prefixesOf(path).at(-2) ?? ''

export const lastName = (path: string): string => path.slice(path.lastIndexOf('{') + 1, -1)

/** Whether the document itself lists the values of a parameter, or they say how long to wait: then they name no resources that come and go. */
export const isFixed = ({ document }: Contract, { parameters }: Operation, name: string): boolean => {
  if (isWaitName(name)) return true
  const parameter = parameters.find(candidate => candidate.in === 'path' && candidate.name === name)
  if (parameter === undefined || parameter.schema === null) return parameter === undefined
  const { keywords, types } = placesOf(document, parameter.schema)
  return (
    keywords.some(({ keyword }) => keyword === 'enum' || keyword === 'const') || types?.join() === 'boolean'
  )
}

/** The values that the document lists for a parameter of a path; empty if it lists none. */
export const valuesOfName = (
  { document }: Contract,
  { parameters }: Operation,
  name: string,
): readonly Json[] => {
  const schema = parameters.find(candidate => candidate.in === 'path' && candidate.name === name)?.schema
  if (schema == null || isWaitName(name)) return []
  return placesOf(document, schema)
    .keywords.filter(({ keyword }) => keyword === 'enum')
    .flatMap(({ value }) => (Array.isArray(value) ? (value as readonly Json[]) : []))
}
