import type { Parameter } from '../contract/contract.ts'
import { isArray, isNumber, isObject, type Json, numberText, writeJson } from '../json/json.ts'
import { writeDeep } from './deep-object.ts'

/** A parameter as it is written in the request; null in all other parts of the request. */
export type WrittenParameter = {
  readonly path: string | null
  readonly query: string | null
  readonly header: string | null
  readonly cookie: string | null
}

const nothing: WrittenParameter = { path: null, query: null, header: null, cookie: null }

/** Writes a value in the style of its parameter, with percent-encoding if needed. */
export const writeParameter = (parameter: Parameter, value: Json): WrittenParameter => {
  const { in: part } = parameter
  const text =
    part === 'query' || part === 'cookie' ? pairsText(parameter, value) : inlineText(parameter, value)
  // In some styles, a list or an object without members is written as nothing.
  return { ...nothing, [part]: text === '' && (part === 'query' || part === 'cookie') ? null : text }
}

const encoding = ({ in: part, style }: Parameter): ((text: string) => string) =>
  part === 'header' || style === 'cookie'
    ? text => text
    : style === 'label'
      ? text => encodeURIComponent(text).replaceAll('.', '%2E')
      : encodeURIComponent

const inlineText = (parameter: Parameter, value: Json): string => {
  const { name, style, explode, content } = parameter
  const encode = encoding(parameter)
  if (content !== null) return encode(writeJson(value))
  const hasParts = isArray(value) || isObject(value)
  // RFC 6570, 3.2.5 and 3.2.7: the mark of the style separates exploded parts; commas separate others.
  const mark = style === 'label' ? '.' : style === 'matrix' ? ';' : ''
  if (!hasParts || !explode)
    return style === 'matrix'
      ? `;${encode(name)}=${joined(value, ',', ',', encode)}`
      : `${mark}${joined(value, ',', ',', encode)}`
  if (style === 'matrix' && isArray(value))
    return value.map(item => `;${encode(name)}=${encode(scalarText(item))}`).join('')
  return `${mark}${joined(value, mark || ',', '=', encode)}`
}

const pairsText = (parameter: Parameter, value: Json): string => {
  const { name, in: part, style, explode, content } = parameter
  const encode = encoding(parameter)
  const key = encode(name)
  const joint = part === 'query' ? '&' : '; '
  if (content !== null) return `${key}=${encode(writeJson(value))}`
  if (style === 'deepObject' && (isObject(value) || isArray(value)))
    return writeDeep(key, value, encode, scalarText).join(joint)
  if (explode && isArray(value)) return value.map(item => `${key}=${encode(scalarText(item))}`).join(joint)
  if (explode && isObject(value)) return joined(value, joint, '=', encode)
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  return `${key}=${joined(value, delimiter, delimiter, encode)}`
}

const joined = (value: Json, delimiter: string, equals: string, encode: (text: string) => string): string =>
  isArray(value)
    ? value.map(item => encode(scalarText(item))).join(delimiter)
    : isObject(value)
      ? Object.entries(value)
          .map(([member, item]) => `${encode(member)}${equals}${encode(scalarText(item))}`)
          .join(delimiter)
      : encode(scalarText(value))

/** A value as a text without a type; what has parts, as JSON. */
export const scalarText = (value: Json): string =>
  typeof value === 'string'
    ? value
    : isNumber(value)
      ? numberText(value)
      : value === null
        ? ''
        : typeof value === 'boolean'
          ? String(value)
          : writeJson(value)
