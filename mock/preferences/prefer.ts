import { type Headers, header, headerValues } from '../../spec/index.ts'

/** The header `Prefer` of a request (RFC 7240). */
export type Prefer = {
  /** The value of every preference by its name in lower case; the first counts if there are several (RFC 7240, 2). */
  readonly values: ReadonlyMap<string, string>
  /** Those that choose the response; null: there are none. */
  readonly preferences: ResponsePreferences | null
}

/** What a client prefers of its response, in Prism's words. */
export type ResponsePreferences = {
  /** The status of the response. */
  readonly code: number | null
  /** The name of an example of the document. */
  readonly example: string | null
  /** Whether values are made up even if the document has examples. */
  readonly dynamic: boolean
  /** The seed of made-up values; null: they follow from the request. */
  readonly seed: string | null
  /** What is wrong with the preferences; if there is anything, the request is rejected. */
  readonly problems: readonly string[]
}

/** Null: the request has no such header, as most. */
export const readPrefer = (headers: Headers): Prefer | null => {
  if (header(headers, 'prefer') === null) return null
  const list = readPreferenceList(headerValues(headers, 'prefer').join(','))
  if (typeof list === 'number') {
    const problem = `the header Prefer cannot be read from character ${list + 1}`
    return { values: new Map(), preferences: { ...none, problems: [problem] } }
  }
  const values = new Map<string, string>()
  for (const { name, value } of list) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, value ?? '')
  }
  return { values, preferences: preferencesIn(values) }
}

/** The preferences of a request with others, by their names, which count where the request itself has none of the name. */
export const withPreferences = (prefer: Prefer | null, others: ReadonlyMap<string, string>): Prefer => {
  const values = new Map([...others, ...(prefer?.values ?? [])])
  const problems = prefer?.preferences?.problems ?? []
  const read = preferencesIn(values)
  return {
    values,
    preferences: read === null ? null : { ...read, problems: [...new Set([...problems, ...read.problems])] },
  }
}

const none: ResponsePreferences = { code: null, example: null, dynamic: false, seed: null, problems: [] }

const preferencesIn = (values: ReadonlyMap<string, string>): ResponsePreferences | null => {
  const [code, example, dynamic, seed] = ['code', 'example', 'dynamic', 'seed'].map(name => values.get(name))
  if ([code, example, dynamic, seed].every(value => value === undefined)) return null
  const problems: string[] = []
  if (code !== undefined && !/^[2-5]\d\d$/.test(code))
    problems.push(`the preference code must be a status from 200 to 599, not ${JSON.stringify(code)}`)
  if (dynamic !== undefined && !/^(true|false)?$/i.test(dynamic))
    problems.push(`the preference dynamic must be true or false, not ${JSON.stringify(dynamic)}`)
  if (example === '') problems.push('the preference example must name an example')
  return {
    code: code === undefined ? null : Number(code),
    example: example ?? null,
    // `Prefer: dynamic` without a value means true.
    dynamic: dynamic !== undefined && dynamic.toLowerCase() !== 'false',
    seed: seed ?? null,
    problems,
  }
}

/** `code=404, example=none`: the preferences that a response keeps, for Preference-Applied. */
export const appliedPreferences = ({ code, example, dynamic, seed }: ResponsePreferences): string =>
  [
    ...(code === null ? [] : [`code=${code}`]),
    ...(example === null ? [] : [`example=${word(example)}`]),
    ...(dynamic ? ['dynamic=true'] : []),
    ...(seed === null ? [] : [`seed=${word(seed)}`]),
  ].join(', ')

/** A value as the header has it: quoted if it is more than a word. */
export const word = (text: string): string =>
  /^[!#$%&'*+\-.^_`|~\w]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

/** One `name=value`; the value without its quotation marks, null if there is no `=`. */
export type Preference = { readonly name: string; readonly value: string | null }

// A value is a quoted string with \ before characters to be taken literally (RFC 9110, 5.6.4), or all up to the next separator.
const preference = /([^=,;"]*)(?:=(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^,;"]*)))?([,;]|$)/y

/**
 * Reads `delay=200, message="later, please"; seed=a`. RFC 7240 puts commas between preferences and semicolons before
 * their parameters; here a parameter counts as a preference, so that either separator works. A number: the text cannot
 * be read from this index on.
 */
export const readPreferenceList = (text: string): readonly Preference[] | number => {
  const found: Preference[] = []
  for (let at = 0; ; ) {
    preference.lastIndex = at
    const match = preference.exec(text)
    if (match === null) return at
    const [whole, , quoted, , separator] = match
    const [name = '', plain] = [match[1]?.trim(), match[3]?.trim()]
    if (name !== '') found.push({ name, value: quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null })
    else if (quoted !== undefined || plain !== undefined) return at
    if (separator === '') return found
    at += whole.length
  }
}
