import type { KeywordUse, SchemaPlace, TypeName } from '../places.ts'
import { listPlaces, placesOf } from '../places.ts'
import { step } from '../pointer.ts'
import type { Subject, Where } from '../subject.ts'
import { isAnnotation } from './annotations.ts'
import { bytesObligations } from './bytes.ts'
import { bodyWhere, type Context, type Draft, parameterWhere, whereName, wherePath } from './context.ts'
import { isBounded } from './numbers.ts'

/** What breaks the contract in a request, and is refused with a declared failure. */
export const refuseObligations = (context: Context): readonly Draft[] => [
  ...bodyObligations(context),
  ...context.operation.parameters.flatMap(parameter => {
    const where = parameterWhere(parameter)
    const missing: Draft = {
      path: `${wherePath(where)}/required`,
      family: 'refuse',
      level: 'MUST',
      promise: `a request without ${whereName(where)} is refused`,
      pointer: step(parameter.pointer, 'required'),
      subject: { kind: 'missing-parameter', where },
    }
    const places =
      parameter.schema === null ? [] : listPlaces(placesOf(context.contract.document, parameter.schema))
    const own = places
      .flatMap(place => placeObligations(place, parameterWhere(parameter, place.pattern)))
      // Written one item after the other, any text is a list or an object.
      .filter(({ subject }) => parameter.content !== null || !isWrongText(subject, places))
    // Without its path parameter a request is one for another path.
    return parameter.required && parameter.in !== 'path' ? [missing, ...own] : own
  }),
  ...bytesObligations(context),
]

const bodyObligations = ({ body }: Context): readonly Draft[] => {
  if (body === null) return []
  const drafts = body.places.flatMap(place => placeObligations(place, bodyWhere(place.pattern, body.in)))
  const { form } = body.media
  if (form === null) return drafts
  const inJson = form.flatMap(({ name, content }) => (content === null ? [] : [step('', name)]))
  return drafts.filter(
    ({ subject }) =>
      !isWrongText(subject, body.places) ||
      (subject.kind === 'keyword' && inJson.includes(subject.where.place)),
  )
}

const isWrongText = (subject: Subject, places: readonly SchemaPlace[]): boolean =>
  subject.kind === 'keyword' &&
  subject.keyword === 'type' &&
  places.some(
    ({ pattern, types }) =>
      pattern === subject.where.place && types?.some(type => type === 'array' || type === 'object'),
  )

const jsonTypes = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** The ways in which a value can be of a wrong type: the JSON types not allowed, a fraction, and numerals in a string. */
export const wrongTypes = (types: readonly TypeName[]): readonly string[] => [
  ...jsonTypes.filter(type => !types.includes(type) && !(type === 'number' && types.includes('integer'))),
  ...(types.includes('integer') && !types.includes('number') ? ['fraction'] : []),
  ...((types.includes('integer') || types.includes('number')) && !types.includes('string')
    ? ['numeral']
    : []),
]

const placeObligations = (place: SchemaPlace, where: Where): readonly Draft[] => [
  ...place.keywords
    .filter(({ keyword }) => !isAnnotation(keyword))
    .flatMap(use => keywordObligations(place, where, use)),
]

const keywordObligations = (place: SchemaPlace, where: Where, use: KeywordUse): readonly Draft[] => {
  const name = whereName(where)
  const draft = (path: string, promise: string, detail: string, pointer = use.pointer): Draft => ({
    path: `${wherePath(where)}/${path}`,
    family: 'refuse',
    level: 'MUST',
    promise,
    pointer,
    subject: { kind: 'keyword', where, keyword: use.keyword, detail },
  })
  switch (use.keyword) {
    case 'type': {
      // Any bytes are a form.
      if (where.in === 'form' && where.place === '') return []
      const types = place.types ?? []
      // Text is all that a line or a header can carry: of the wrong types only text is left.
      const wrong = where.in === 'body' ? wrongTypes(types) : types.includes('string') ? [] : ['string']
      return wrong.map(type =>
        draft(
          `type/${type}`,
          `${withArticle(type)} for ${name} is refused: it is ${types.map(withArticle).join(' or ')}`,
          type,
        ),
      )
    }
    case 'required':
      return (use.value as readonly string[]).map(property => ({
        ...draft(
          'required',
          `${name === 'the body' ? 'a body' : name} without \`${property}\` is refused`,
          property,
        ),
        path: `${wherePath({ ...where, place: step(where.place, property) })}/required`,
      }))
    case 'format':
      // Where a bound is nearer, what is past the format is past the bound.
      if (use.value === 'int32' || use.value === 'int64')
        return (['above', 'below'] as const)
          .filter(side => !isBounded(place, side))
          .map(side => {
            const edge = side === 'above' ? 'largest' : 'smallest'
            return draft(
              `format/${side}`,
              `a number past the ${edge} ${use.value} is refused as ${name}`,
              side,
            )
          })
      return assertedFormats.has(String(use.value))
        ? [draft('format', `what is no ${use.value} is refused as ${name}`, '')]
        : []
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return use.value === false
        ? [draft(use.keyword, `an undeclared property in ${name} is refused`, '')]
        : []
    case 'uniqueItems':
      return use.value === true ? [draft('uniqueItems', `equal items in ${name} are refused`, '')] : []
    case 'oneOf':
      return [
        draft('oneOf', `${name} is refused when it is of no alternative of \`oneOf\``, ''),
        draft('oneOf/two', `${name} is refused when it is of two alternatives of \`oneOf\` at once`, 'two'),
      ]
    case 'anyOf':
      return [draft('anyOf', `${name} is refused when it is of no alternative of \`anyOf\``, '')]
    default:
      return [
        draft(use.keyword, `${name} is refused when it breaks \`${use.keyword}\` ${short(use.value)}`, ''),
      ]
  }
}

/** Formats that every validator agrees on well enough to hold a server to them. */
const assertedFormats = new Set(['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uuid', 'time'])

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const withArticle = (type: string): string =>
  type === 'null'
    ? 'null'
    : type === 'numeral'
      ? 'a number in quotation marks'
      : /^[aeio]/.test(type)
        ? `an ${type}`
        : `a ${type}`
