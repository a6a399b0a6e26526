/** What the text of a rejection says would be accepted: most servers name the place, and the rule that the value broke. */
import { compileGenerator, createSampler } from '../../generator/index.ts'
import {
  isArray,
  isNumber,
  type Json,
  listedIn,
  numberText,
  rawNumber,
  readJson,
  type SchemaPlace,
  step,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { exampleAt } from '../cases/declared-examples.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { validValue } from '../cases/valid-value.ts'
import { labelOf } from '../cases/with-optional.ts'
import { codesCalled, edgesIn, formsFor, listOf, membersIn, ofOtherLength } from './advice-without-place.ts'
import type { KnownValue } from './pool.ts'
import { type Known, mostLetters, placesByName, placesOfRequest, spokenOf, textsIn } from './spoken-places.ts'

/** A value that may be accepted at a place of a request (see `ValuesByPlace`). */
export type Advice = { readonly place: string } & Pick<KnownValue, 'value' | 'isForm'>

type Value = Omit<Advice, 'place'>

const limits = { bytes: 20_000, texts: 40, advice: 32 } as const

/** What a response advises, the likeliest first. */
export const adviceIn = (model: OperationModel, spec: RequestSpec, body: Uint8Array): readonly Advice[] => {
  const text = Buffer.from(body.subarray(0, limits.bytes)).toString('utf8')
  const reading = readJson(body.subarray(0, limits.bytes))
  const all = reading.ok
    ? [...textsIn(reading.value, [])].slice(0, limits.texts)
    : [{ text: text.slice(0, mostLetters), names: [], paths: [] }]
  const places = placesOfRequest(model, spec)
  const byName = placesByName(places)
  const found: Advice[] = []
  const add = (place: Known, value: Value): void => {
    const advice = { place: place.within?.pattern ?? place.key, ...value }
    const isKnown = found.some(each => JSON.stringify(each) === JSON.stringify(advice))
    if (!isKnown && found.length < limits.advice) found.push(advice)
  }
  for (const said of all)
    for (const place of missingFirst(said.text, spokenOf(said, places, byName)))
      for (const value of valuesSaid(model, said.text, place)) add(place, value)
  for (const said of all)
    for (const place of places)
      for (const value of [...membersIn(said.text, place), ...ofOtherLength(said.text, place)])
        add(place, plainly(value))
  return found
}

/** Of two places of one name, the one without a value is what is missing. */
const missingFirst = (text: string, places: readonly Known[]): readonly Known[] =>
  missing.test(text)
    ? places.toSorted((left, right) => Number(left.value !== undefined) - Number(right.value !== undefined))
    : places

/** `at least one of name, size`: those are places, and not their values. */
const isListedIn = (text: string, name: string): boolean =>
  text
    .split(/\bone of\b/i)
    .slice(1)
    .some(rest =>
      rest
        .slice(0, mostLetters)
        .split(/[,:;'"`[\]()]|\b(?:or|and|is|are|must|has)\b/)
        .some(each => each.trim() === name),
    )

/** The values that a text asks for at a place. */
const valuesSaid = (model: OperationModel, text: string, place: Known): readonly Value[] => {
  const { schema, value, within, key } = place
  // An empty list has no item to change: the text is about the list itself.
  if (value === undefined && key.endsWith('/*')) return []
  if (within !== null)
    return missing.test(text) && schema !== null
      ? [{ value: validValue(model.contract, within, schema.pattern, 'a') }]
      : []
  if (typeof value === 'string' && taken.test(text) && isQuoted(text, value))
    return schema !== null && isFreeText(model, schema) ? [freeText] : []
  const listed = listedIn(text)
  if (listed.length > 0 && !isListedIn(text, place.name))
    return listed.flatMap(each => asTyped(each, schema)).map(plainly)
  const limited = withinLimit(text, value, schema)
  if (limited !== null) return [{ value: limited }]
  const pattern = patternIn(text)
  if (pattern !== undefined && mayBe(schema, 'string')) return matching(pattern).map(plainly)
  const template = templateIn(text) ?? edgesIn(text)
  if (template !== undefined && mayBe(schema, 'string')) return [{ value: template, isForm: true }]
  const isEmpty = value !== undefined && isArray(value) && value.length === 0
  if (isEmpty) return missing.test(text) && schema !== null ? withItem(model, schema) : []
  if (value === undefined)
    return schema !== null && (missing.test(text) || invalid.test(text)) ? missingValues(model, schema) : []
  if (typeof value !== 'string' || !mayBe(schema, 'string')) return []
  return [...codesCalled(place.name).map(plainly), ...(absence.test(text) ? [] : formsFor(text))]
}

const plainly = (value: Json): Value => ({ value })

/** Values for a place that has to have one. A free text is another one in each request: many servers take a name only once. */
const missingValues = (model: OperationModel, schema: SchemaPlace): readonly Value[] => {
  if (isFreeText(model, schema)) return [freeText]
  const shown = exampleAt(model, schema)
  const plain = validValue(model.contract, schema, null, 'a')
  return [...(shown === undefined ? [] : [{ value: shown }]), { value: plain }, ...withItem(model, schema)]
}

/** A list with an item, if a place may have one. */
const withItem = (model: OperationModel, schema: SchemaPlace): readonly Value[] => {
  const item = schema.children.find(({ pattern }) => pattern === step(schema.pattern, '*'))
  return item === undefined || !mayBe(schema, 'array')
    ? []
    : [{ value: validValue(model.contract, schema, item.pattern, 'a') }]
}

const freeText: Value = { value: '{}', isForm: true }

const isFreeText = (model: OperationModel, schema: SchemaPlace): boolean => {
  const label = labelOf(0, 'optional')
  return validValue(model.contract, schema, null, label) === label
}

/** `Named reference 'main' already exists`: all is right but the value that it quotes. */
const taken = /already|duplicate|is taken|in use|not unique|must be unique/i

const isQuoted = (text: string, value: string): boolean =>
  value.length > 1 && new RegExp(`(?<![\\w-])${RegExp.escape(value)}(?![\\w-])`).test(text)

/** What does not exist has the right form. */
const absence = /not found|not exist|unknown|no such|already/i

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

/** `in the format <tenant>:<database>`, as a form */
const templateIn = (text: string): string | undefined => {
  const said = /\bform(?:at)?\b[^<{]{0,20}/.exec(text)
  const rest = said === null ? '' : text.slice(said.index + said[0].length)
  const parts = /^(?:[<{][\w -]{1,40}[>}][:/.@|_-]?){2,8}/.exec(rest)?.[0]
  return parts?.replaceAll(/[<{][\w -]{1,40}[>}]/g, '{}').replace(/[^{}]$/, '')
}

const missing = new RegExp(
  [
    /\brequires?\b|required|missing|mandatory|needed|absent|expected|at least (?:one|an?)\b/,
    /not (?:present|provided|specified|supplied|given|set|found in)/,
    /\b(?:must|should|ha(?:s|ve) to|needs? to|please) (?:be )?(?:given|provid|suppl|specif|set|present|have|contain|includ|pass|enter|grant|select|choose|add)/,
    /\b(?:can(?:not|'t)|(?:must|may|should)(?: not|n't)) be (?:left )?(?:blank|empty|null)/,
    /\b(?:no|neither)(?: [\w'"-]{1,40}){1,6} (?:given|specified|provided|supplied|set|passed|present)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** `invalid scope: 0`, though the request has no scope: the server has put a zero in its place. */
const invalid = /\binvalid\b|not (?:valid|supported)|unsupported/i

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

const exactly = /exactly|(?:length|size) (?:must|should|has to) be(?: of)?/gi

/** The value within a limit that a text states: of a number, or of the length of a text. */
const withinLimit = (text: string, value: Json | undefined, schema: SchemaPlace | null): Json | null => {
  const [, from, to] = range.exec(text) ?? []
  const [lower, upper] = [from ?? numberAfter(least, text), to ?? numberAfter(most, text)]
  const exact = lower === undefined && upper === undefined ? numberAfter(exactly, text) : undefined
  const low = Number(lower ?? exact ?? Number.NaN)
  const high = Number(upper ?? exact ?? Number.NaN)
  if (Number.isNaN(low) && Number.isNaN(high)) return null
  if (typeof value === 'string') {
    const length = low === high ? low : Number.isNaN(low) ? Math.min(value.length, high - 1) : low + 1
    return length > 0 && length < 10_000 ? value.padEnd(length, 'a').slice(0, length) : null
  }
  if (value !== undefined && isArray(value)) return listOf(value, Number.isNaN(low) ? high : low)
  if (value === undefined && !mayBe(schema, 'integer') && !mayBe(schema, 'number')) return null
  if (value !== undefined && !isNumber(value)) return null
  // Limits may be exclusive.
  const near = Number.isNaN(low) ? high - 1 : Number.isNaN(high) ? low + 1 : Math.ceil((low + high) / 2)
  const changed = rawNumber(String(near))
  return value !== undefined && isNumber(value) && numberText(value) === numberText(changed) ? null : changed
}

const matching = (pattern: string): readonly Json[] => {
  const known = ofPatterns.get(pattern)
  if (known !== undefined) return known
  const { valid } = compileGenerator({ type: 'string', pattern, minLength: 1 }, {})
  const sample = 'unsupported' in valid ? null : createSampler(valid, 0, 'plain')
  const values = sample === null ? [] : [sample(0), sample(1)]
  if (ofPatterns.size < mostPatterns) ofPatterns.set(pattern, values)
  return values
}

/** Servers say the same few patterns again and again, and a long one takes a tenth of a second. */
const ofPatterns = new Map<string, readonly Json[]>()
const mostPatterns = 200
