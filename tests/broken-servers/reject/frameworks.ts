/** Faults that the defaults of real frameworks have. */
import { decodeUtf8, isObject, isText, parseJson } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, raw } from '../store/sent.ts'
import { lawfulParts } from '../store/store.ts'

const row = rowsOf('reject')

const isKnown = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).every(key => ['id', 'name', 'tag'].includes(key))

/** Parses what a lenient parser of JSON takes as well, and rejects undeclared properties. */
const strictButLenient = (mend: (text: string) => string): Partial<Parts> => ({
  parse: text => {
    try {
      return parseJson(text)
    } catch {
      return parseJson(mend(text))
    }
  },
  body: isKnown,
})

/** Takes any spelling of a number for an id, and rejects one that it has seen. */
const coercing = (): Partial<Parts> => {
  const seen = new Set<string>()
  let last = ''
  return {
    id: value => {
      const text = Array.isArray(value) ? String(value[0]) : String(value)
      last = text
      return value !== undefined && value !== null && text.trim() !== '' && !Number.isNaN(Number(text))
    },
    respond: response => {
      if (response.cause !== 'none') return response
      if (!seen.has(last)) {
        seen.add(last)
        return response
      }
      return { ...response, status: 400, body: JSON.stringify({ error: 9, message: 'duplicate id' }) }
    },
  }
}

const withNames = (rename: (value: Record<string, unknown>) => Record<string, unknown>): Partial<Parts> => ({
  parse: text => {
    const value = parseJson(text)
    return isObject(value) ? rename(value) : value
  },
})

export const frameworkServers: readonly BrokenServer[] = [
  row(
    'coerces-ids-and-rejects-duplicates',
    'Anything like a number is accepted as an id, once.',
    /request\/body\/id\/(type\/(numeral|fraction|array)|format)/,
    coercing,
  ),
  row(
    'ignores-letter-case-of-names',
    'NAME is taken for name (the default of Go and .NET).',
    /request\/body\/(id|name)\/required/,
    withNames(value =>
      Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toLowerCase(), item])),
    ),
    { witness: inTurn(raw('{"ID":1,"NAME":"Monstera"}')) },
  ),
  row(
    'takes-positional-array',
    'An array of the values is taken for a plant (the default of serde).',
    /request\/body\/type\/array/,
    {
      parse: text => {
        const value = parseJson(text)
        if (!Array.isArray(value) || value.length < 2) return value
        const [id, name, tag] = value as readonly unknown[]
        return { id, name, ...(tag === undefined || tag === null ? {} : { tag }) }
      },
    },
    { witness: inTurn(raw('[1,"Monstera"]')) },
  ),
  row(
    'decodes-leniently-and-rejects-unknown',
    'Invalid UTF-8 is replaced, and undeclared properties are rejected.',
    /request\/body\/json\/invalid-utf8/,
    {
      decode: (bytes, exchange) => {
        try {
          return decodeUtf8(bytes)
        } catch {
          return lawfulParts.decode(Buffer.from(bytes.toString('utf8')), exchange)
        }
      },
      body: isKnown,
    },
    {
      witness: inTurn(raw(Buffer.from('{"id":1,"name":"a\xff"}', 'latin1'))),
    },
  ),
  row(
    'takes-control-characters-and-rejects-unknown',
    'Raw control characters are accepted, and undeclared properties are rejected.',
    /request\/body\/json\/control-character/,
    strictButLenient(text =>
      text.replace(/\p{Cc}/gu, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    { witness: inTurn(raw('{"id":1,"name":"a\nb"}')) },
  ),
  row(
    'takes-leading-zeros-and-rejects-unknown',
    'Leading zeros are accepted, and undeclared properties are rejected.',
    /request\/body\/json\/leading-zero/,
    strictButLenient(text => text.replace(/(:\s*-?)0+(?=\d)/g, '$1')),
    { witness: inTurn(raw('{"id":007,"name":"Monstera"}')) },
  ),
  row(
    'takes-plus-signs-and-rejects-unknown',
    'Plus signs are accepted, and undeclared properties are rejected.',
    /request\/body\/json\/plus-sign/,
    strictButLenient(text => text.replace(/(:\s*)\+(?=\d)/g, '$1')),
    { witness: inTurn(raw('{"id":+7,"name":"Monstera"}')) },
  ),
  row(
    'fails-on-half-a-surrogate',
    'Half a surrogate pair in a name gets a 500 (the response cannot be written).',
    /response\/declared/,
    {
      respond: response =>
        response.plant !== undefined && isText(response.plant.name) && !response.plant.name.isWellFormed()
          ? {
              ...response,
              status: 500,
              headers: { 'content-type': 'text/plain' },
              body: 'Internal Server Error',
            }
          : response,
    },
    { witness: inTurn(raw('{"id":1,"name":"\\ud800"}')) },
  ),
]
