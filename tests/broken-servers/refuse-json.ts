import { firstValue } from './first-value.ts'
import { decodeUtf8, parseJson } from './json.ts'
import type { Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('refuse')

const json = (classes: string) => new RegExp(`^createPlant/request/body/(json/(${classes})|required)`)
const ofNothing = /^createPlant\/(request\/body\/(required|json|presence|empty|absent)|response\/)/

/** Strict first, so that what is valid stays what it is. */
const lenient = (mend: (text: string) => string): Partial<Parts> => ({
  parse: text => {
    try {
      return parseJson(text)
    } catch {
      return parseJson(mend(text))
    }
  },
})

const decoding = (decode: (bytes: Buffer) => string): Partial<Parts> => ({
  decode: bytes => {
    try {
      const text = decodeUtf8(bytes)
      parseJson(text)
      return text
    } catch {
      return decode(bytes)
    }
  },
})

const replace = (pattern: RegExp, by: string) => lenient(text => text.replaceAll(pattern, by))

const closeAll = (text: string): string => {
  const open: string[] = []
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (quoted && sign === '\\') at += 1
    else if (sign === '"') quoted = !quoted
    else if (!quoted && sign === '{') open.push('}')
    else if (!quoted && sign === '[') open.push(']')
    else if (!quoted && (sign === '}' || sign === ']')) open.pop()
  }
  return (quoted ? `${text}"` : text.replace(/,\s*$/, '')) + open.reverse().join('')
}

const utf16 = (bytes: Buffer): string => {
  const big = bytes[0] === 0 || bytes[0] === 0xfe
  return new TextDecoder(big ? 'utf-16be' : 'utf-16le').decode(bytes)
}

const escapeControls = (text: string) =>
  text.replace(/\p{Cc}/gu, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const lenientServers: readonly Broken[] = [
  row('closes-what-is-open', 'A truncated body is closed and taken.', json('truncated'), lenient(closeAll)),
  row(
    'takes-missing-last-brace',
    'The last brace may be missing.',
    json('truncated'),
    lenient(text => `${text}}`),
  ),
  row(
    'takes-trailing-comma',
    'A comma may stand before a closing brace.',
    json('trailing-comma'),
    replace(/,(\s*[}\]])/g, '$1'),
  ),
  row(
    'takes-single-quotes',
    'Texts may stand in single quotes.',
    json('single-quot|.*escape'),
    replace(/'/g, '"'),
  ),
  row('takes-comments', 'Comments are skipped.', json('comment'), replace(/\/\*.*?\*\/|\/\/.*$|^#.*$/gm, '')),
  row(
    'takes-block-comments',
    'Comments between /* and */ are skipped.',
    json('comment'),
    replace(/\/\*.*?\*\//gs, ''),
  ),
  row('takes-line-comments', 'Comments after // are skipped.', json('comment'), replace(/\/\/.*$/gm, '')),
  row(
    'takes-nan',
    'NaN and Infinity are taken for numbers, and for any id.',
    json('nan|infinity'),
    replace(/-?\b(NaN|Infinity)\b/g, '0'),
  ),
  row(
    'takes-leading-zeros',
    'Numbers may begin with zeros.',
    json('leading-zero'),
    replace(/:(\s*-?)0+(\d)/g, ':$1$2'),
  ),
  row('takes-plus-signs', 'Numbers may begin with a plus sign.', json('plus'), replace(/:\s*\+/g, ':')),
  row(
    'takes-control-characters',
    'Texts may hold raw control characters.',
    json('control'),
    lenient(escapeControls),
  ),
  row('takes-raw-newlines', 'Texts may hold raw line feeds.', json('control'), replace(/\n/g, '\\n')),
  row(
    'replaces-invalid-utf8',
    'Bytes that are no UTF-8 are replaced.',
    json('invalid-utf8|.*utf-?8'),
    decoding(bytes => bytes.toString('utf8')),
  ),
  row(
    'reads-invalid-utf8-as-latin1',
    'Bytes that are no UTF-8 are read as Latin-1.',
    json('invalid-utf8|.*utf-?8'),
    decoding(bytes => bytes.toString('latin1')),
  ),
  row(
    'takes-utf16',
    'UTF-16 is taken.',
    json('utf-?16'),
    decoding(bytes => (bytes.includes(0) ? utf16(bytes).replace(/^\ufeff/, '') : decodeUtf8(bytes))),
  ),
  row(
    'stops-at-the-first-value',
    'What follows the first value is not looked at.',
    json('trailing|.*garbage|two|concat|comment'),
    lenient(firstValue),
  ),
  row(
    'takes-trailing-brace',
    'A closing brace too many is taken.',
    json('trailing|.*garbage'),
    replace(/\}\}$/g, '}'),
  ),
  row('takes-empty-body', 'An empty body is taken for a plant.', ofNothing, {
    parse: text => (text.trim() === '' ? { id: 0n, name: '' } : parseJson(text)),
  }),
  row(
    'takes-what-is-not-json',
    'Whatever is not JSON is taken for a plant.',
    /^createPlant\/request\/body\/(json|required)/,
    {
      parse: text => {
        try {
          return parseJson(text)
        } catch {
          return { id: 0n, name: text.slice(0, 20) }
        }
      },
    },
  ),
]
