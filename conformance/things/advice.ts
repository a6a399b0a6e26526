/** What the text of a rejection says would be accepted: most servers name the place, and the rule that the value broke. */
import { compileGenerator, createSampler } from '../../generator/index.ts'
import {
  formatSamples,
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  plainName,
  rawNumber,
  readJson,
  type SchemaPlace,
  steps,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { validValue } from '../cases/valid-value.ts'

/** A value that may be accepted at a place of a request (see `ValuesByPlace`). */
export type Advice = { readonly place: string; readonly value: Json }

/** A place that a text may speak of, with what the request has there. */
type Known = {
  readonly key: string
  readonly name: string
  readonly schema: SchemaPlace | null
  readonly value: Json | undefined
}

/** A text of a response, and the names around it: of the properties that it is in, and of the texts beside it. */
type Said = { readonly text: string; readonly names: readonly string[] }

const limits = { bytes: 20_000, letters: 600, texts: 40, advice: 12 } as const

/** What a response advises, the likeliest first. */
export const adviceIn = (model: OperationModel, spec: RequestSpec, body: Uint8Array): readonly Advice[] => {
  const text = Buffer.from(body.subarray(0, limits.bytes)).toString('utf8')
  const reading = readJson(body.subarray(0, limits.bytes))
  const all = reading.ok
    ? [...textsIn(reading.value, [])].slice(0, limits.texts)
    : [{ text: text.slice(0, limits.letters), names: [] }]
  const places = placesOfRequest(model, spec)
  const found: Advice[] = []
  for (const said of all)
    for (const place of spokenOf(said, places))
      for (const value of valuesSaid(model, said.text, place)) {
        const advice = { place: place.key, value }
        const isKnown = found.some(each => JSON.stringify(each) === JSON.stringify(advice))
        if (!isKnown && found.length < limits.advice) found.push(advice)
      }
  return found
}

function* textsIn(value: Json, names: readonly string[]): Generator<Said> {
  if (typeof value === 'string') yield { text: value.slice(0, limits.letters), names }
  else if (isArray(value)) for (const item of value) yield* textsIn(item, names)
  else if (isObject(value)) {
    const isPlacing = ([key, member]: readonly [string, Json]): boolean =>
      placing.test(key) && !hasSentence(member)
    const members = Object.entries(value)
    const beside = members.filter(isPlacing).flatMap(([, member]) => namesOf(member))
    for (const each of members) if (!isPlacing(each)) yield* textsIn(each[1], [...beside, ...names, each[0]])
  }
}

/** Properties of failures that say where a fault is. */
const placing =
  /^(loc|location|field|fields|path|pointer|param|parameter|property|attribute|instancePath|dataPath|source|name|key|argument|target)$/i

const hasSentence = (value: Json): boolean =>
  typeof value === 'string' ? /\s\S+\s/.test(value) : isArray(value) && value.some(hasSentence)

const namesOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value.split(/[^\p{L}\p{N}_-]+/u).reverse()
  if (isNumber(value)) return []
  if (isArray(value)) return value.flatMap(namesOf).reverse()
  return isObject(value) ? Object.values(value).flatMap(namesOf) : []
}

const placesOfRequest = ({ parameters, body }: OperationModel, spec: RequestSpec): readonly Known[] => {
  const known: Known[] = parameters
    .filter(({ parameter }) => parameter.in !== 'path')
    .map(({ parameter: { name, in: part }, root }) => ({
      key: `${part} ${name}`,
      name,
      schema: root,
      value: spec.parameters[name],
    }))
  const visit = (schema: SchemaPlace, value: Json | undefined): void => {
    for (const child of schema.children) {
      const name = steps(child.pattern).at(-1) ?? ''
      if (name === '*' || /^\d+$/.test(name)) continue
      const member = isObject(value) && Object.hasOwn(value, name) ? (value[name] as Json) : undefined
      known.push({ key: child.pattern, name, schema: child, value: member })
      if (member !== undefined) visit(child, member)
    }
  }
  if (body !== null && isObject(spec.body)) visit(body.root, spec.body)
  return known
}

/** The places that a text speaks of: those that are named beside it, then those that it names itself. */
const spokenOf = ({ text, names }: Said, places: readonly Known[]): readonly Known[] => {
  const named = (name: string): readonly Known[] => {
    const plain = plainName(name)
    return plain === '' ? [] : places.filter(place => plainName(place.name) === plain)
  }
  const quoted = [...text.matchAll(/['"`]([^'"`\s]{1,60})['"`]/g)].map(match => match[1] as string)
  const words = text.split(/[^\p{L}\p{N}_-]+/u)
  return [...new Set([...names, ...quoted, ...words].flatMap(named))].slice(0, 3)
}

/** The values that a text asks for at a place. */
const valuesSaid = (model: OperationModel, text: string, { schema, value }: Known): readonly Json[] => {
  const listed = listedIn(text)
  if (listed.length > 0) return listed.flatMap(each => asTyped(each, schema))
  const limited = withinLimit(text, value, schema)
  if (limited !== null) return [limited]
  const pattern = patternIn(text)
  if (pattern !== undefined && mayBe(schema, 'string')) return matching(pattern)
  const format = formats.find(([words]) => words.test(text))?.[1]
  if (format !== undefined && mayBe(schema, 'string') && typeof value === 'string') return [format]
  if (value === undefined && missing.test(text) && schema !== null)
    return [validValue(model.contract, schema, null, 'a')]
  return []
}

/** `must match the pattern "^a+$"` */
const patternIn = (text: string): string | undefined => {
  let at = 0
  for (const before of text.split(/['"`/]/)) {
    const [rest = '', ...words] = before.split(/pattern|regular expression|(?:regex|match)\w*/i).reverse()
    const quoted = /(['"`/])(.{1,200})\1/y
    quoted.lastIndex = at + before.length
    const found = words.length > 0 && rest.length <= 30 ? quoted.exec(text)?.[2] : undefined
    if (found !== undefined) return found
    at += before.length + 1
  }
  return undefined
}

const missing =
  /required|missing|not (?:present|provided|specified|set|found in)|must (?:be )?(?:provided?|specif|set|present|have|contain|include)|can(?:not|'t) be (?:blank|empty|null)|absent|expected|no \w+ (?:was )?given/i

/** `must be one of 'a', 'b'`, `must be in list [a, b]`, `Input should be 'a' or 'b'`. */
const listedIn = (text: string): readonly string[] => {
  const beside = besides.exec(text)?.[0]
  if (beside !== undefined) return itemsOf(beside).slice(0, 3)
  for (const { 0: words, index } of text.matchAll(listing)) {
    const items = itemsOf(text.slice(index + words.length))
    if (items.length > 0) return items.slice(0, 3)
  }
  return []
}

/** `as 'text' or 'base64'` */
const besides = /(['"`])[^'"`\s]{1,60}\1(?:\s*(?:(?:,|\||\bor\b|\band\b)\s*)+(['"`])[^'"`\s]{1,60}\2)+/

const listing =
  /\b(?:one of|in (?:the )?(?:list|set|range of)|either|any of|input should be|allowed(?: values?)?(?: are| is)?|choices?(?: are)?|valid (?:values|options|types|names)(?: are)?|supported(?: \w+)?(?: are)?|available(?: \w+)?(?: are)?|possible values(?: are)?|expected)[\s:]*/gi

const itemsOf = (text: string): readonly string[] => {
  const quoted = [...text.matchAll(/(['"`])([^'"`]{1,80})\1/g)].map(match => match[2] as string)
  if (quoted.length > 0) return quoted
  const bracketed = /^[^[({]{0,20}[[({]([^\])}]+)[\])}]/.exec(text)?.[1]
  const listed = bracketed ?? (/[,|]/.test(text) ? (text.split(/[.;\n]/)[0] ?? '') : '')
  return listed
    .split(/[,|]|\bor\b/.test(listed) ? /,|\||\bor\b|\band\b/ : /\s+/)
    .map(item => item.trim())
    .filter(item => /^[\w.:+-]{1,60}$/.test(item))
}

const asTyped = (text: string, schema: SchemaPlace | null): readonly Json[] => {
  const types = schema?.types ?? null
  const isFor = (type: string): boolean => types === null || types.some(each => each === type)
  const values: Json[] = []
  if (isFor('string')) values.push(text)
  if (/^-?\d+$/.test(text) && (isFor('integer') || isFor('number'))) values.push(rawNumber(text))
  if (/^(true|false)$/.test(text) && isFor('boolean')) values.push(text === 'true')
  if (types?.includes('array') === true) values.push([text])
  return values
}

const mayBe = (schema: SchemaPlace | null, type: string): boolean =>
  schema?.types == null || schema.types.some(each => each === type)

const most =
  /less than or equal to|<=|at most|no (?:more|greater|longer|larger) than|max(?:imum)?(?: (?!\d)\w+)?(?: of| is)?|not exceed|up to|<|less than|smaller than|below|under/gi
const least =
  /greater than or equal to|>=|at least|no (?:less|fewer|shorter|smaller) than|min(?:imum)?(?: (?!\d)\w+)?(?: of| is)?|>|(?:greater|larger|more) than|above|over|longer than/gi
const range = /(?:between|range|from)\D{0,14}(-?\d+)\D{1,9}(-?\d+)/i

/** The first number that stands soon after such words. */
const numberAfter = (words: RegExp, text: string): string | undefined => {
  for (const { 0: said, index } of text.matchAll(words)) {
    const number = /^[^\d-]{0,14}(-?\d+(?:\.\d+)?)/.exec(text.slice(index + said.length))?.[1]
    if (number !== undefined) return number
  }
  return undefined
}

/** The value within a limit that a text states: of a number, or of the length of a text. */
const withinLimit = (text: string, value: Json | undefined, schema: SchemaPlace | null): Json | null => {
  const [, from, to] = range.exec(text) ?? []
  const low = Number(from ?? numberAfter(least, text) ?? Number.NaN)
  const high = Number(to ?? numberAfter(most, text) ?? Number.NaN)
  if (Number.isNaN(low) && Number.isNaN(high)) return null
  if (typeof value === 'string') {
    const length = Number.isNaN(low) ? Math.min(value.length, high - 1) : low + 1
    return length > 0 && length < 10_000 ? value.padEnd(length, 'a').slice(0, length) : null
  }
  if (value === undefined && !mayBe(schema, 'integer') && !mayBe(schema, 'number')) return null
  if (value !== undefined && !isNumber(value)) return null
  // Limits may be exclusive.
  const near = Number.isNaN(low) ? high - 1 : Number.isNaN(high) ? low + 1 : Math.ceil((low + high) / 2)
  const changed = rawNumber(String(near))
  return value !== undefined && isNumber(value) && numberText(value) === numberText(changed) ? null : changed
}

const matching = (pattern: string): readonly Json[] => {
  const { valid } = compileGenerator({ type: 'string', pattern, minLength: 1 }, {})
  if ('unsupported' in valid) return []
  const sample = createSampler(valid, 0, 'plain')
  return [sample(0), sample(1)]
}

const formats: readonly (readonly [words: RegExp, value: string])[] = [
  [/uuid|guid/i, formatSamples.uuid],
  [/e-?mail/i, formatSamples.email],
  [/date-?time|timestamp|iso.?8601|rfc.?3339/i, formatSamples['date-time']],
  [/\bdate\b/i, formatSamples.date],
  [/\bur[il]\b/i, formatSamples.uri],
  [/\bhost ?name\b|\bdomain\b|\bfqdn\b/i, formatSamples.hostname],
  [/\bip\b|ipv4|ip address/i, formatSamples.ipv4],
  [/base64/i, formatSamples.byte],
  [/\bcron\b/i, '0 12 * * *'],
  [/time ?zone/i, 'Europe/Paris'],
  [/\bjson\b/i, '{}'],
  [/integer|number|numeric|digits/i, '7'],
  [/boolean/i, 'true'],
  [/absolute path|start with (?:a )?(?:slash|['"`]?\/)/i, '/a'],
]
