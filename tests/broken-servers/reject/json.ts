import { decodeUtf8, parseJson } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { firstValue } from './first-value.ts'

const row = rowsOf('reject')

const json = (classes: string) => new RegExp(`^createPlant/request/body/(json/(${classes})|required)`)
const ofNothing = /^createPlant\/(request\/body\/(required|json|presence|empty|absent)|response\/)/

/** Repairs only what is not valid JSON. */
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

export const lenientServers: readonly BrokenServer[] = [
  row(
    'closes-what-is-open',
    'A truncated body is completed and accepted.',
    json('truncated'),
    lenient(closeAll),
  ),
  row(
    'takes-missing-last-brace',
    'A body without its last brace is accepted.',
    json('truncated'),
    lenient(text => `${text}}`),
  ),
  row(
    'takes-trailing-comma',
    'A comma before a closing brace is accepted.',
    json('trailing-comma'),
    replace(/,(\s*[}\]])/g, '$1'),
  ),
  row(
    'takes-single-quotes',
    'Strings in single quotes are accepted.',
    json('single-quot|.*escape'),
    replace(/'/g, '"'),
  ),
  row('takes-comments', 'Comments are ignored.', json('comment'), replace(/\/\*.*?\*\/|\/\/.*$|^#.*$/gm, '')),
  row(
    'takes-block-comments',
    'Comments between /* and */ are ignored.',
    json('comment'),
    replace(/\/\*.*?\*\//gs, ''),
  ),
  row('takes-line-comments', 'Comments after // are ignored.', json('comment'), replace(/\/\/.*$/gm, '')),
  row(
    'takes-nan',
    'NaN and Infinity are accepted as numbers, also for an id.',
    json('nan|infinity'),
    replace(/-?\b(NaN|Infinity)\b/g, '0'),
  ),
  row(
    'takes-leading-zeros',
    'Numbers with leading zeros are accepted.',
    json('leading-zero'),
    replace(/:(\s*-?)0+(\d)/g, ':$1$2'),
  ),
  row('takes-plus-signs', 'Numbers with a plus sign are accepted.', json('plus'), replace(/:\s*\+/g, ':')),
  row(
    'takes-control-characters',
    'Raw control characters in strings are accepted.',
    json('control'),
    lenient(escapeControls),
  ),
  row(
    'takes-raw-newlines',
    'Raw line feeds in strings are accepted.',
    json('control'),
    replace(/\n/g, '\\n'),
  ),
  row(
    'replaces-invalid-utf8',
    'Invalid UTF-8 bytes are replaced.',
    json('invalid-utf8|.*utf-?8'),
    decoding(bytes => bytes.toString('utf8')),
  ),
  row(
    'reads-invalid-utf8-as-latin1',
    'Invalid UTF-8 is read as Latin-1.',
    json('invalid-utf8|.*utf-?8'),
    decoding(bytes => bytes.toString('latin1')),
  ),
  row(
    'takes-utf16',
    'UTF-16 is accepted.',
    json('utf-?16'),
    decoding(bytes => (bytes.includes(0) ? utf16(bytes).replace(/^\ufeff/, '') : decodeUtf8(bytes))),
  ),
  row(
    'stops-at-the-first-value',
    'Whatever follows the first JSON value is ignored.',
    json('trailing|.*garbage|two|concat|comment'),
    lenient(firstValue),
  ),
  row(
    'takes-trailing-brace',
    'A surplus closing brace is accepted.',
    json('trailing|.*garbage'),
    replace(/\}\}$/g, '}'),
  ),
  row('takes-empty-body', 'An empty body is accepted as a plant.', ofNothing, {
    parse: text => (text.trim() === '' ? { id: 0n, name: '' } : parseJson(text)),
  }),
  row(
    'takes-what-is-not-json',
    'Malformed JSON is accepted as a plant.',
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
