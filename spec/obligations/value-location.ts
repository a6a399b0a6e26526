import type { Parameter } from '../contract/contract.ts'
import { type Pointer, step, steps } from '../json/pointer.ts'

/** A value of a request: in JSON (`body`), in any other body, where it is a text (`form`), or a parameter. `place` is a pattern inside it (see `SchemaPlace`). */
export type ValueLocation = {
  readonly in: 'body' | 'form' | 'path' | 'query' | 'header' | 'cookie'
  /** Of a parameter; the empty string for a body. */
  readonly name: string
  readonly place: Pointer
}

/** Whether a value is in the body, of any kind. */
export const isOfBody = ({ in: part }: ValueLocation): boolean => part === 'body' || part === 'form'

/** Whether two locations are the same; a body may be written in JSON or in another format. */
export const isSamePlace = (one: ValueLocation, other: ValueLocation): boolean =>
  one.place === other.place &&
  (isOfBody(one) ? isOfBody(other) : one.in === other.in && one.name === other.name)

export const bodyLocation = (place: Pointer, part: 'body' | 'form' = 'body'): ValueLocation => ({
  in: part,
  name: '',
  place,
})

export const parameterLocation = (parameter: Parameter, place: Pointer = ''): ValueLocation => ({
  in: parameter.in,
  name: parameter.name,
  place,
})

/** A part of a `multipart/form-data` body. */
export const partLocation = (name: string): ValueLocation => bodyLocation(step('', name), 'form')

/** A location in a sentence: the body, `owner.name`, the query parameter `limit`. */
export const locationText = (location: ValueLocation): string => {
  const inside = placeText(location.place)
  if (isOfBody(location)) return inside === '' ? 'the body' : `\`${inside}\``
  return `the ${location.in} parameter \`${location.name}${/^(?:\[|$)/.test(inside) ? '' : '.'}${inside}\``
}

/** A pattern or a pointer as people write it: `owner.name`, `lines[].sku` for each line, `lines[0].sku` for the first. */
export const placeText = (place: Pointer): string =>
  steps(place).reduce(
    (text, key) =>
      key === '*'
        ? `${text}[]`
        : /^\d+$/.test(key)
          ? `${text}[${key}]`
          : text === ''
            ? key
            : `${text}.${key}`,
    '',
  )
