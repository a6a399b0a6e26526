import { step } from '../json/pointer.ts'
import type { RequestAspect, StateName, Subject } from './subject.ts'
import { isOfBody, partLocation, type ValueLocation } from './value-location.ts'

/**
 * The id of an obligation, `createPlant/request/body/id/required`: made here and nowhere else, and never taken apart, because the id of
 * an operation may have any characters. What has to know more about an obligation or a violation asks for its subject.
 */
export type ObligationId = string

/** What an id says below its operation, name by name: `['request', 'body', 'id', 'required']`. A name may have a slash. */
export type ObligationPath = readonly string[]

export const obligationId = (operation: string, path: ObligationPath): ObligationId =>
  `${operation}/${path.join('/')}`

/** The id of the obligation of an operation with this subject. */
export const idOf = (operation: string, subject: Subject | RequestAspect): ObligationId =>
  obligationId(operation, pathOf(subject))

/** Whether a path begins with another one, and says more. */
export const isBelow = (path: ObligationPath, above: ObligationPath): boolean =>
  path.length > above.length && above.every((name, index) => path[index] === name)

/** The names above the values of a location: `['request', 'body', 'owner', 'name']`, `['request', 'query', 'limit']`. */
export const locationPath = (location: ValueLocation): ObligationPath => [
  'request',
  ...(isOfBody(location) ? ['body'] : [location.in, location.name]),
  ...placePath(location.place),
]

/** The steps of a pointer as it writes them, with its escapes. */
const placePath = (place: string): readonly string[] => place.split('/').slice(1)

/** What an id says of its subject. Of several subjects with one path there is one obligation. */
export const pathOf = (subject: Subject | RequestAspect): ObligationPath => {
  switch (subject.kind) {
    case 'valid':
    case 'combined':
      return ['request', subject.kind]
    case 'presence':
      return ['request', 'body', 'presence', presenceName(subject)]
    case 'value':
      return [
        ...locationPath(subject.location),
        ...(subject.member === undefined ? [subject.name] : ['enum', String(subject.member)]),
      ]
    case 'layout':
      return ['request', 'layout', subject.layout]
    case 'framing':
      return ['request', 'framing', subject.name]
    case 'query-escapes':
      return ['request', 'query', 'percent-escapes']
    case 'size':
      return ['request', 'size', `${subject.bytes / 1000}-kilobytes`]
    case 'media':
      return ['request', 'content-type', subject.name]
    case 'content-coding':
      return ['request', 'content-encoding']
    case 'extra':
      return ['request', 'header', subject.name]
    case 'keyword':
      return keywordPath(subject)
    case 'branch':
      return [...locationPath(subject.location), subject.keyword, subject.branch]
    case 'part':
      return [
        ...locationPath(partLocation(subject.part)),
        ...(subject.header === null ? ['content-type'] : ['headers', subject.header.toLowerCase()]),
      ]
    case 'malformed':
      return ['request', 'body', subject.format, ...(subject.name === null ? [] : [subject.name])]
    case 'no-body':
      return ['request', 'body', 'required', subject.name]
    case 'displaced':
    case 'several-violations':
      return ['request', 'body', subject.kind]
    case 'missing-parameter':
      return [...locationPath(subject.location), 'required']
    case 'credentials':
      return ['auth', subject.name]
    case 'response':
      return ['response', ...responsePath(subject)]
    case 'response-time':
      return ['response', 'time', subject.measure]
    case 'protocol':
      return subject.isOrdinary ? ['request', 'framing', subject.name] : ['protocol', subject.name]
    case 'state':
      return statePath(subject.name)
    case 'flow':
      return [subject.kind, subject.flow, subject.step]
    case 'callback':
      return [subject.kind, subject.callback, subject.name]
    case 'stability':
    case 'unspecified':
      return [subject.kind, subject.name]
  }
}

/** What another user is kept from has names of its own family, and so have requests with keys and conditions. */
const statePath = (name: StateName): ObligationPath => {
  const [prefix = '', family] = ofFamilies.find(([start]) => name.startsWith(start)) ?? []
  return family === undefined ? ['state', name] : [family, name.slice(prefix.length)]
}

const ofFamilies = [
  ['other-', 'ownership'],
  ['key-', 'idempotency'],
  ['if-', 'conditional'],
] as const

const presenceName = ({ present, isAll }: Extract<Subject, { kind: 'presence' }>): string =>
  present.length === 0 ? 'required-only' : isAll ? 'all' : `with-${present.join('-')}`

/** What is missing is named by its own place. */
const keywordPath = ({
  location,
  keyword,
  detail,
}: Extract<Subject, { kind: 'keyword' }>): ObligationPath => {
  const path = locationPath(location)
  if (keyword === 'required') return [...path, ...placePath(step('', detail)), keyword]
  return detail === '' ? [...path, keyword] : [...path, keyword, detail]
}

const responsePath = (subject: Extract<Subject, { kind: 'response' }>): ObligationPath => {
  switch (subject.aspect) {
    case 'declared':
      return [subject.aspect]
    case 'schema':
      return [subject.status, 'body', ...placePath(subject.place), subject.keyword]
    case 'header':
      return [subject.status, 'headers', subject.header.toLowerCase()]
    case 'echo':
      return [subject.status, 'echo', subject.name]
    case 'challenge':
      return [subject.status, 'challenge', subject.rule]
    default:
      return [subject.status, subject.aspect]
  }
}
