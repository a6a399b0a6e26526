import type { Parameter } from '../../contract/contract.ts'
import { asNode } from '../../json/follow-refs.ts'
import { step } from '../../json/pointer.ts'
import { isKeyHeader } from '../../resources/request-headers.ts'
import { annotationKeywords } from '../../schema/annotations.ts'
import { mayHave } from '../../schema/closed.ts'
import { placesOf, type SchemaPlace } from '../../schema/locations.ts'
import { hasCombinations } from '../../schema/typed-properties.ts'
import type { ObligationSpec } from '../obligation.ts'
import { bodyLocationOf, type OperationContext } from '../operation-context.ts'
import { sharedByParameter } from '../shared-by-parameter.ts'
import { showsIn, showsOf } from '../shows.ts'
import { locationText, parameterLocation } from '../value-location.ts'
import { branchObligations } from './alternatives.ts'
import { clientObligations } from './clients.ts'
import { encodingObligations } from './encodings.ts'
import { ordinaryProtocolObligations } from './protocol.ts'
import { acceptRequirement, byDeclaredSuccess } from './requirement.ts'
import { valueObligations } from './values.ts'

/** What a valid request may look like: all of it is accepted. */
export const acceptObligations = (context: OperationContext): readonly ObligationSpec[] => [
  validObligation(context),
  ...presenceObligations(context),
  ...ofBody(context),
  ...context.operation.parameters.flatMap(parameter => ofParameter(context, parameter)),
  ...queryEscapeObligations(context),
  ...encodingObligations(context),
  ...combinedObligations(context),
  ...clientObligations(context),
  ...ordinaryProtocolObligations(context),
]

const ofBody = (context: OperationContext): readonly ObligationSpec[] => {
  const { body } = context
  if (body === null) return []
  return body.places.flatMap(place => {
    const location = bodyLocationOf(body, place.pattern)
    const shows = showsIn(body.format, body.root, place.pattern)
    return shows.any
      ? [
          ...valueObligations(context, place, location, shows),
          ...branchObligations(context, place, location, shows),
        ]
      : []
  })
}

const ofParameter = sharedByParameter(({ contract }, parameter) => {
  // A key is for one request: the same value in another run would stand for the request of that run.
  if (parameter.schema === null || isKeyHeader(contract, parameter)) return []
  const context = { contract, body: null }
  const root = placesOf(contract.requests.document, parameter.schema)
  const location = parameterLocation(parameter)
  const shows = showsOf(parameter, root)
  return [
    ...valueObligations(context, root, location, shows),
    ...emptyObligation(parameter),
    ...branchObligations(context, root, location, shows),
  ]
})

/** `allowEmptyValue`: without a value, whatever the schema. */
const emptyObligation = (parameter: Parameter): readonly ObligationSpec[] => {
  if (parameter.allowEmpty !== true) return []
  const location = parameterLocation(parameter)
  const input = `no value as ${locationText(location)}`
  return [
    {
      family: 'accept',
      level: 'MUST',
      input,
      requirement: acceptRequirement(input),
      pointer: step(parameter.pointer, 'allowEmptyValue'),
      subject: { kind: 'value', location, name: 'allowEmptyValue', texts: ['""'] },
    },
  ]
}

const validObligation = ({ operation, body }: OperationContext): ObligationSpec => ({
  family: 'accept',
  level: 'MUST',
  input: 'a valid request',
  requirement: `${acceptRequirement('a valid request')}${byDeclaredSuccess}`,
  pointer: body?.media.pointer ?? operation.pointer,
  subject: { kind: 'valid' },
})

const queryEscapeObligations = ({ operation }: OperationContext): readonly ObligationSpec[] => {
  const parameter = operation.parameters.find(each => each.in === 'query' && each.schema !== null)
  if (parameter === undefined) return []
  const input = 'a query with percent-escapes for letters and digits'
  return [
    {
      family: 'accept',
      level: 'MUST',
      input,
      requirement: acceptRequirement(input),
      pointer: parameter.pointer,
      rfc: 'RFC 3986 2.3',
      subject: { kind: 'query-escapes' },
    },
  ]
}

const combinedObligations = ({ body }: OperationContext): readonly ObligationSpec[] => {
  if (body?.in !== 'body' || !hasCombinations(body.root)) return []
  const input = 'a valid request that combines extreme values'
  return [
    {
      family: 'accept',
      level: 'SHOULD',
      input,
      requirement: acceptRequirement(input, 'SHOULD'),
      pointer: body.media.pointer,
      subject: { kind: 'combined' },
    },
  ]
}

const presenceObligations = ({ operation, body }: OperationContext): readonly ObligationSpec[] => {
  if (body === null || !body.root.types?.includes('object')) return []
  const { root, format } = body
  const unread = format.kind === 'form' ? format.unread : []
  const required = new Set(root.required)
  const isPresent = (name: string, present: readonly string[]): boolean =>
    required.has(name) || present.includes(name)
  const optional = root.properties.filter(
    name => !required.has(name) && !unread.includes(name) && mayHave(root, name),
  )
  const least = Number(root.keywords.find(({ keyword }) => keyword === 'minProperties')?.value ?? 0)
  // A form without any field looks like no body.
  const mayBeEmpty = format.kind !== 'form' || operation.body?.required !== true
  const possible = subsets(optional).filter(
    present =>
      (mayBeEmpty || root.required.length + present.length > 0) &&
      root.required.length + present.length >= least &&
      present.every(name => requiredBeside(root, name).every(other => isPresent(other, present))) &&
      fitsAlternatives(root, name => isPresent(name, present)),
  )
  // If only one set is possible, every valid request has it.
  if (possible.length < 2) return []
  return possible.map((present): ObligationSpec => {
    const isAll = present.length === optional.length && present.length > 1
    const input = `a body with ${presenceText(present, optional)}`
    return {
      family: 'accept',
      level: 'MUST',
      input,
      requirement: acceptRequirement(input),
      pointer: body.media.pointer,
      subject: { kind: 'presence', present, isAll },
    }
  })
}

const presenceText = (present: readonly string[], optional: readonly string[]): string => {
  const there = new Set(present)
  const missing = optional.filter(name => !there.has(name))
  if (present.length === 0) return 'the required properties only'
  if (missing.length === 0 && present.length > 1) return 'all optional properties'
  if (missing.length === 1 && present.length > 2) return `all optional properties except ${quoted(missing)}`
  return `the optional ${present.length === 1 ? 'property' : 'properties'} ${quoted(present)}`
}

const quoted = (names: readonly string[]): string =>
  names
    .map(name => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')

/** The properties that have to be there if this one is. */
const requiredBeside = ({ keywords }: SchemaPlace, name: string): readonly string[] =>
  keywords.flatMap(({ keyword, value }) => {
    if (keyword !== 'dependentRequired' && keyword !== 'dependentSchemas') return []
    const dependent = asNode(value)[name]
    const names = keyword === 'dependentRequired' ? dependent : asNode(dependent).required
    return Array.isArray(names) ? names.map(String) : []
  })

/** Whether alternatives that only say what is required leave such a body: `oneOf: [{ required: ['url'] }, { required: ['html'] }]`. */
const fitsAlternatives = ({ keywords }: SchemaPlace, isPresent: (name: string) => boolean): boolean =>
  keywords.every(({ keyword, value }) => {
    const alternatives =
      keyword === 'not'
        ? [value]
        : keyword === 'oneOf' || keyword === 'anyOf'
          ? (value as readonly unknown[])
          : []
    if (alternatives.length === 0 || !alternatives.every(onlyRequires)) return true
    const met = alternatives.filter(each =>
      (asNode(each).required as readonly string[]).every(isPresent),
    ).length
    return keyword === 'not' ? met === 0 : keyword === 'oneOf' ? met === 1 : met > 0
  })

const onlyRequires = (schema: unknown): boolean =>
  Array.isArray(asNode(schema).required) &&
  Object.entries(asNode(schema)).every(
    ([keyword, value]) =>
      keyword === 'required' ||
      annotationKeywords.includes(keyword) ||
      (keyword === 'type' && value === 'object'),
  )

/** Beyond this many names, only the first of them are tried alone: the size of all subsets grows with the square. */
const mostLeftOut = 100

/** Every subset of up to four names; of more names: none, all, each one alone, and all but each one. */
const subsets = (names: readonly string[]): readonly (readonly string[])[] => {
  if (names.length > mostLeftOut) return [[], names, ...names.slice(0, mostLeftOut).map(name => [name])]
  return names.length <= 4
    ? Array.from({ length: 2 ** names.length }, (_, mask) =>
        names.filter((_name, index) => mask & (1 << index)),
      )
    : [[], names, ...names.map(name => [name]), ...names.map(name => names.filter(other => other !== name))]
}
