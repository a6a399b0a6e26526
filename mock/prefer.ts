import { type Headers, header, headerValues } from '../spec/index.ts'

/** What a client prefers of its answer (RFC 7240), in the words that Prism has for it. */
export type Preferences = {
  /** The status of the answer. */
  readonly code: number | null
  /** The name of an example of the document. */
  readonly example: string | null
  /** Values that are made up, also where the document has examples. */
  readonly dynamic: boolean
  /** What values that are made up follow from; else it is the request. */
  readonly seed: string | null
  /** What is wrong with them; then they are refused. */
  readonly problems: readonly string[]
}

const preference = /\s*([!#$%&'*+\-.^_`|~\w]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?\s*(?:[,;]+|$)/y

/** The preferences of a request; null where it has none of these. Those that are not known here are passed over. */
export const preferencesOf = (headers: Headers): Preferences | null => {
  // Most requests have none.
  if (header(headers, 'prefer') === null) return null
  return read(headerValues(headers, 'prefer').join(','))
}

const read = (text: string): Preferences | null => {
  const given = new Map<string, string>()
  const problems: string[] = []
  preference.lastIndex = text.search(/[^\s,;]|$/)
  while (preference.lastIndex < text.length) {
    const at = preference.lastIndex
    const match = preference.exec(text)
    if (match === null) {
      problems.push(`the header Prefer cannot be read from character ${at + 1}`)
      break
    }
    const [, name = '', quoted, plain = ''] = match
    // Of one that is given twice the first counts (RFC 7240, 2).
    const own = name.toLowerCase()
    if (!given.has(own)) given.set(own, quoted?.replace(/\\(.)/g, '$1') ?? plain)
  }
  const code = given.get('code')
  const example = given.get('example')
  const dynamic = given.get('dynamic')
  const seed = given.get('seed')
  if (code !== undefined && !/^[2-5]\d\d$/.test(code))
    problems.push(`the preference code must be a status from 200 to 599, not ${JSON.stringify(code)}`)
  if (dynamic !== undefined && !/^(true|false)?$/i.test(dynamic))
    problems.push(`the preference dynamic must be true or false, not ${JSON.stringify(dynamic)}`)
  if (example === '') problems.push('the preference example must name an example')
  if (problems.length === 0 && [code, example, dynamic, seed].every(value => value === undefined)) return null
  return {
    code: code === undefined ? null : Number(code),
    example: example ?? null,
    // `Prefer: dynamic` alone asks for it.
    dynamic: dynamic !== undefined && dynamic.toLowerCase() !== 'false',
    seed: seed ?? null,
    problems,
  }
}

/** `code=404, example=none`: the preferences that an answer keeps, as Preference-Applied tells them. */
export const appliedPreferences = ({ code, example, dynamic, seed }: Preferences): string =>
  [
    ...(code === null ? [] : [`code=${code}`]),
    ...(example === null ? [] : [`example=${word(example)}`]),
    ...(dynamic ? ['dynamic=true'] : []),
    ...(seed === null ? [] : [`seed=${word(seed)}`]),
  ].join(', ')

const word = (text: string): string =>
  /^[!#$%&'*+\-.^_`|~\w]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
