import { type Json, parseJson } from '../json.ts'
import { asNode } from '../node.ts'
import type { SchemaPlace } from '../places.ts'
import { placesOf } from '../places.ts'
import { isOfBody, type Where } from '../subject.ts'
import { branchObligations } from './branches.ts'
import { bodyWhere, type Context, type Draft, parameterWhere, whereName, wherePath } from './context.ts'
import { fractionKinds, integerKinds, spellingKinds } from './numbers.ts'
import { textKinds } from './texts.ts'
import { writingObligations } from './writing.ts'

/** What a valid request may look like, and is accepted as. */
export const acceptObligations = (context: Context): readonly Draft[] => [
  validObligation(context),
  ...presenceObligations(context),
  ...(context.body?.places.flatMap(place => {
    const where = bodyWhere(place.pattern, context.body?.in)
    return [...valueObligations(context, place, where), ...branchObligations(context, place, where)]
  }) ?? []),
  ...context.operation.parameters.flatMap(parameter => {
    if (parameter.schema === null) return []
    const root = placesOf(context.contract.document, parameter.schema)
    const where = parameterWhere(parameter)
    return [...valueObligations(context, root, where), ...branchObligations(context, root, where)]
  }),
  ...writingObligations(context),
]

const validObligation = ({ operation, body }: Context): Draft => ({
  path: 'request/valid',
  family: 'accept',
  level: 'MUST',
  promise: 'any valid request is accepted and answered with a declared success',
  pointer: body?.media.pointer ?? operation.pointer,
  subject: { kind: 'valid' },
})

const presenceObligations = ({ body }: Context): readonly Draft[] => {
  if (body === null || !body.root.types?.includes('object')) return []
  const { root } = body
  const isThere = (name: string, present: readonly string[]): boolean =>
    root.required.includes(name) || present.includes(name)
  const optional = root.properties.filter(name => !root.required.includes(name))
  const least = Number(root.keywords.find(({ keyword }) => keyword === 'minProperties')?.value ?? 0)
  const possible = subsets(optional).filter(
    present =>
      root.required.length + present.length >= least &&
      present.every(name => asksBeside(root, name).every(other => isThere(other, present))),
  )
  // Where there is but one way, every valid request goes it.
  if (possible.length < 2) return []
  return possible.map(present => ({
    path: `request/body/presence/${present.length === 0 ? 'required-only' : present.length === optional.length && present.length > 1 ? 'all' : `with-${present.join('-')}`}`,
    family: 'accept',
    level: 'MUST',
    promise:
      present.length === 0
        ? 'a body with the required properties alone is accepted'
        : `a body with the required properties and ${present.map(name => `\`${name}\``).join(', ')} is accepted`,
    pointer: body.media.pointer,
    subject: { kind: 'presence', present },
  }))
}

/** The properties that have to be there where this one is. */
const asksBeside = ({ keywords }: SchemaPlace, name: string): readonly string[] =>
  keywords.flatMap(({ keyword, value }) => {
    if (keyword !== 'dependentRequired' && keyword !== 'dependentSchemas') return []
    const asked = asNode(value)[name]
    const names = keyword === 'dependentRequired' ? asked : asNode(asked).required
    return Array.isArray(names) ? names.map(String) : []
  })

/** Every subset of up to four names; of more: none, all, each alone and each left out. */
const subsets = (names: readonly string[]): readonly (readonly string[])[] =>
  names.length <= 4
    ? Array.from({ length: 2 ** names.length }, (_, mask) =>
        names.filter((_name, index) => mask & (1 << index)),
      )
    : [[], names, ...names.map(name => [name]), ...names.map(name => names.filter(other => other !== name))]

const valueObligations = ({ contract }: Context, place: SchemaPlace, where: Where): readonly Draft[] => {
  const types = place.types ?? []
  const validators = place.schemas.map(contract.schemas.validator)
  const holds = (value: Json): boolean => validators.every(validate => validate(value).length === 0)
  const pointer = place.keywords.find(({ keyword }) => keyword === 'type')?.pointer ?? place.schemas[0] ?? ''
  const draft = (
    name: string,
    level: Draft['level'],
    about: string,
    texts: readonly string[],
    at = pointer,
  ): readonly Draft[] => {
    const valid = texts.filter(text => holds(parseJson(text)))
    const subject = { kind: 'value', where, name, texts: valid } as const
    const promise = `${about} ${level === 'MUST' ? 'is' : 'should be'} accepted as ${whereName(where)}`
    return valid.length === 0
      ? []
      : [{ path: `${wherePath(where)}/${name}`, family: 'accept', level, promise, pointer: at, subject }]
  }
  const members = place.keywords.find(({ keyword }) => keyword === 'enum')
  if (members !== undefined)
    return (members.value as readonly Json[]).flatMap((member, index) =>
      draft(`enum/${index}`, 'MUST', JSON.stringify(member), [JSON.stringify(member)], members.pointer),
    )
  // Text on a line or in a header cannot carry everything that JSON can.
  const carries = (text: string): boolean =>
    isOfBody(where) || where.in === 'query' || /^[\x21-\x7e]+$/.test(text)
  const plainPath = (text: string): boolean => where.in !== 'path' || !/^\.{0,2}$|[/\\]/.test(text)
  const drafts = [
    ...(types.includes('string')
      ? textKinds.flatMap(({ name, level, texts, about }) =>
          draft(
            name,
            isOfBody(where) ? level : 'SHOULD',
            `a string of ${about}`,
            texts
              .filter(carries)
              .filter(plainPath)
              .filter(text => isOfBody(where) || text.length < 2000)
              .map(text => JSON.stringify(text)),
          ),
        )
      : []),
    ...lengthBounds(place).flatMap(({ name, texts, about, at }) =>
      draft(
        name,
        'MUST',
        about,
        texts.filter(text => carries(JSON.parse(text))),
        at,
      ),
    ),
    ...(types.includes('integer') || types.includes('number')
      ? integerKinds.flatMap(({ name, texts, about }) => draft(name, 'MUST', about, texts))
      : []),
    ...(where.in === 'body' && (types.includes('integer') || types.includes('number'))
      ? spellingKinds.flatMap(({ name, about }) => draft(name, 'MUST', about, spellings(name)))
      : []),
    ...(types.includes('number')
      ? fractionKinds.flatMap(({ name, texts, about }) => draft(name, 'MUST', about, texts))
      : []),
    ...numberBounds(place).flatMap(({ name, text, at }) => draft(name, 'MUST', text, [text], at)),
    ...(types.includes('boolean')
      ? ['true', 'false'].flatMap(text => draft(text, 'MUST', text, [text]))
      : []),
    ...(types.includes('null') && types.length > 1 ? draft('null', 'MUST', 'null', ['null']) : []),
  ]
  // The smallest value allowed may be 1 as well: the same value is the same promise, and its bound says more.
  return [...new Map(drafts.map(own => [textsOf(own).join(' '), own])).values()]
}

const textsOf = ({ subject }: Draft): readonly string[] => (subject.kind === 'value' ? subject.texts : [])

const spellings = (name: string): readonly string[] =>
  name === 'decimal-form' ? ['1.0', '20.0', '3.000'] : ['1e0', '2e1', '30E-1']

const lengthBounds = (place: SchemaPlace) =>
  place.keywords.flatMap(({ keyword, value, pointer }) => {
    if ((keyword !== 'minLength' && keyword !== 'maxLength') || typeof value !== 'number' || value > 100_000)
      return []
    const texts = ['x', '🌵'].map(char => JSON.stringify(char.repeat(value)))
    return [
      {
        name: `at-${keyword}`,
        texts,
        about: `a string of ${value} character${value === 1 ? '' : 's'}`,
        at: pointer,
      },
    ]
  })

const numberBounds = (place: SchemaPlace) =>
  place.keywords.flatMap(({ keyword, value, pointer }) =>
    (keyword === 'minimum' || keyword === 'maximum') && typeof value === 'number'
      ? [{ name: `at-${keyword}`, text: String(value), at: pointer }]
      : [],
  )
