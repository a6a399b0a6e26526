import type { Parameter } from './contract.ts'
import { isArray, isNumber, isObject, type Json, numberText, writeJson } from './json.ts'

/** A parameter as its part of the request holds it; null in the parts where it does not stand. */
export type WrittenParameter = {
  readonly path: string | null
  readonly query: string | null
  readonly header: string | null
  readonly cookie: string | null
}

const nothing: WrittenParameter = { path: null, query: null, header: null, cookie: null }

/** Writes a value as the style of its parameter asks, percent-encoded where that is due. */
export const writeParameter = (parameter: Parameter, value: Json): WrittenParameter => {
  const { in: where } = parameter
  const text =
    where === 'query' || where === 'cookie' ? pairsText(parameter, value) : inlineText(parameter, value)
  // A list or an object without members is not there at all in some styles.
  return { ...nothing, [where]: text === '' && (where === 'query' || where === 'cookie') ? null : text }
}

const encoding = ({ in: where, style }: Parameter): ((text: string) => string) =>
  where === 'header'
    ? text => text
    : style === 'label'
      ? text => encodeURIComponent(text).replaceAll('.', '%2E')
      : encodeURIComponent

const inlineText = (parameter: Parameter, value: Json): string => {
  const { name, style, explode, content } = parameter
  const encode = encoding(parameter)
  if (content !== null) return encode(writeJson(value))
  const hasParts = isArray(value) || isObject(value)
  // RFC 6570, 3.2.5 and 3.2.7: exploded parts are set apart by the style's own mark, others by commas.
  const mark = style === 'label' ? '.' : style === 'matrix' ? ';' : ''
  if (!hasParts || !explode)
    return style === 'matrix'
      ? `;${encode(name)}=${joined(value, ',', ',', encode)}`
      : `${mark}${joined(value, ',', ',', encode)}`
  if (style === 'matrix' && isArray(value))
    return value.map(item => `;${encode(name)}=${encode(scalar(item))}`).join('')
  return `${mark}${joined(value, mark || ',', '=', encode)}`
}

const pairsText = (parameter: Parameter, value: Json): string => {
  const { name, in: where, style, explode, content } = parameter
  const encode = encoding(parameter)
  const key = encode(name)
  const joint = where === 'query' ? '&' : '; '
  if (content !== null) return `${key}=${encode(writeJson(value))}`
  if (style === 'deepObject' && isObject(value))
    return Object.entries(value)
      .map(([member, item]) => `${key}%5B${encode(member)}%5D=${encode(scalar(item))}`)
      .join(joint)
  if (explode && isArray(value)) return value.map(item => `${key}=${encode(scalar(item))}`).join(joint)
  if (explode && isObject(value)) return joined(value, joint, '=', encode)
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  return `${key}=${joined(value, delimiter, delimiter, encode)}`
}

const joined = (value: Json, delimiter: string, equals: string, encode: (text: string) => string): string =>
  isArray(value)
    ? value.map(item => encode(scalar(item))).join(delimiter)
    : isObject(value)
      ? Object.entries(value)
          .map(([member, item]) => `${encode(member)}${equals}${encode(scalar(item))}`)
          .join(delimiter)
      : encode(scalar(value))

const scalar = (value: Json): string =>
  typeof value === 'string'
    ? value
    : isNumber(value)
      ? numberText(value)
      : value === null
        ? ''
        : typeof value === 'boolean'
          ? String(value)
          : writeJson(value)
