import { type Expectation, locationText, type Obligation, pathOf, type Subject } from '../../spec/index.ts'

/** What a request was about, apart from where: what a server is likely to treat alike at every place. */
export type RequestKind = {
  /** Equal for requests of one kind. */
  readonly key: string
  /** «texts with control characters» */
  readonly text: string
}

const kind = (key: string, text: string): RequestKind => ({ key, text })

const without = kind('missing', 'requests without what is required')
const alternatives = kind('alternatives', 'values that fit none of the alternatives')
const sizes = kind('size', 'texts, lists and objects that are too short or too long')
const range = kind('range', 'numbers outside of their range')
const undeclared = kind('undeclared properties', 'undeclared properties')
const nul = kind('NUL', 'texts with NUL')

/** Whether requests of a kind say themselves why a server fails on them: they cannot be read, or not be kept by a database. */
export const explainsErrors = ({ key }: RequestKind): boolean =>
  key === nul.key || key.startsWith('malformed')

/** By the keyword that a value breaks. */
const keywords: Readonly<Record<string, RequestKind>> = {
  required: without,
  dependentRequired: without,
  minimum: range,
  maximum: range,
  exclusiveMinimum: range,
  exclusiveMaximum: range,
  multipleOf: range,
  minLength: sizes,
  maxLength: sizes,
  minItems: sizes,
  maxItems: sizes,
  minProperties: sizes,
  maxProperties: sizes,
  uniqueItems: kind('unique', 'lists with an item twice'),
  pattern: kind('pattern', 'texts that do not match their `pattern`'),
  format: kind('format', 'values that are not of their `format`'),
  enum: kind('enum', 'values outside of their `enum`'),
  const: kind('enum', 'values outside of their `enum`'),
  additionalProperties: undeclared,
  unevaluatedProperties: undeclared,
  propertyNames: undeclared,
  anyOf: alternatives,
  oneOf: alternatives,
  not: alternatives,
  if: alternatives,
  dependentSchemas: alternatives,
}

/** What values that break a keyword are; `detail`: see the subject of an obligation. */
export const brokenKeyword = (keyword: string, detail: string): RequestKind => {
  if (keyword === 'type')
    return detail === 'null'
      ? kind('null', 'null in place of other types')
      : kind('type', 'values of other types')
  // A range of whole numbers, such as int32.
  if (keyword === 'format' && detail !== '') return range
  return keywords[keyword] ?? kind(keyword, `values that break \`${keyword}\``)
}

const ofValue = ({ texts, name }: Extract<Subject, { kind: 'value' }>): RequestKind => {
  if (name === 'nul') return nul
  if (texts.every(text => text.startsWith('"'))) {
    if (name.startsWith('long-')) return kind('long texts', 'long texts')
    return name === 'empty' || name === 'blank'
      ? kind('empty texts', 'empty and blank texts')
      : kind('texts', 'unusual texts')
  }
  return texts.every(text => /^[-\d]/.test(text))
    ? kind('numbers', 'unusual numbers')
    : kind('values', 'unusual values')
}

/** The kind of requests that an obligation is about. */
export const requestKind = (
  { subject, input }: Pick<Obligation, 'subject' | 'input'>,
  expectation: Expectation,
): RequestKind => {
  switch (subject.kind) {
    case 'keyword':
      return brokenKeyword(subject.keyword, subject.detail)
    case 'value':
      return ofValue(subject)
    case 'missing-parameter':
    case 'displaced':
      return without
    case 'no-body':
      return kind('no body', 'requests without the body that is required')
    case 'malformed':
      return kind(`malformed ${subject.format}`, `malformed ${bodyNames[subject.format] ?? 'bodies'}`)
    case 'media':
      return subject.isAccepted
        ? kind('media', 'other ways to write the Content-Type')
        : subject.name === 'absent'
          ? kind('no media type', 'bodies without a Content-Type')
          : kind('undeclared media', 'bodies of other media types')
    case 'part':
      return kind('part', 'parts of another media type, or without a header')
    case 'stability':
    case 'valid':
    case 'presence':
    case 'branch':
    case 'combined':
    case 'several-violations':
      return expectation === 'reject'
        ? kind('several', 'bodies with two invalid properties')
        : kind('valid', 'valid requests')
    default:
      return kind(
        pathOf(subject).join('/'),
        input ?? (expectation === 'reject' ? 'invalid requests' : 'requests'),
      )
  }
}

const bodyNames: Readonly<Record<string, string>> = { json: 'JSON', xml: 'XML' }

/** Where a request has what it is about, as a reader of the operation finds it; empty if it is the request as a whole. */
export const placeOfRequest = ({ subject, input }: Pick<Obligation, 'subject' | 'input'>): string => {
  if (subject.kind === 'keyword' && subject.keyword === 'required')
    return locationText({ ...subject.location, place: `${subject.location.place}/${subject.detail}` })
  if ('location' in subject) return locationText(subject.location)
  if (subject.kind === 'part') return subject.part
  return input ?? ''
}

/** The place, or that it is in the path: one part of a server reads all of those. */
export const sharedPlace = (obligation: Pick<Obligation, 'subject' | 'input'>): string =>
  'location' in obligation.subject && obligation.subject.location.in === 'path'
    ? 'path'
    : placeOfRequest(obligation)
