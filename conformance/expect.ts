import { type Breach, fillToken, type Obligation, type Tokens } from '../spec/index.ts'
import type { Case, Draft } from './case.ts'
import type { Model } from './model.ts'
import { renderRequest } from './render.ts'
import { rawOf, wireExpectation, wireKindOf } from './wire.ts'

type Expected = Pick<Case, 'expected' | 'cause' | 'request'>

/**
 * What the contract has to say of a draft, judged from the bytes that go over the wire. Null: it does not test this
 * obligation, or breaks another one as well, and so could raise a false alarm.
 */
export const expect = (
  model: Model,
  obligation: Obligation,
  draft: Draft,
  token: string,
): Expected | null => {
  const request = renderRequest(model.operation, draft)
  // A value that no header can carry cannot be sent at all.
  if (request.headers.some(([, value]) => unsendable.test(value)) || isOtherPath(draft.path, request.target))
    return null
  if (obligation.family === 'open') return { expected: 'either', cause: null, request }
  const breaches = judge(model, draft, request, token)
  const { subject } = obligation
  if (subject.kind === 'credentials' && !subject.accepted) {
    const others = breaches.filter(({ cause }) => cause !== 'credentials')
    const only = others.length > 0 === (draft.credentials?.kind.invalidBody === true)
    // A form of the token may be the token itself: one of capitals in upper case.
    const wrong = breaches.some(({ cause }) => cause === 'credentials')
    return only && wrong ? { expected: 'refused', cause: 'credentials', request } : null
  }
  if (obligation.family === 'refuse') {
    const [first] = breaches
    if (first === undefined) return null
    const about = breaches.some(breach => isAbout(obligation, breach))
    return about && breaches.every(breach => isBeside(obligation, breach))
      ? { expected: 'refused', cause: first.cause, request }
      : null
  }
  if (breaches.length > 0 || isEmptyForm(model, request)) return null
  const kind = subject.kind === 'wire' ? wireKindOf(subject.name) : null
  const raw = rawOf(request, draft)
  return kind === null || raw === null
    ? { expected: 'accepted', cause: null, request }
    : { expected: wireExpectation(kind), cause: null, request: { ...request, raw } }
}

/** Where a body is required, a form without any field looks like none: lawful servers differ. */
const isEmptyForm = ({ operation, body }: Model, request: Expected['request']): boolean =>
  body?.in === 'form' && operation.body?.required === true && request.body?.length === 0

/** An empty segment, or one of dots, makes another path of it. */
const isOtherPath = (template: string, target: string): boolean =>
  template.includes('{') && /\/(?:\.{0,2}|(?:%2e){1,2})(?:\/|$)/i.test(target.split('?')[0] ?? '')

const unsendable = /[^\t\x20-\x7e\x80-\xff]/

/** The breaches of a draft, its token being right. */
const judge = (
  model: Model,
  draft: Draft,
  request: Expected['request'],
  token: string,
): readonly Breach[] => {
  const tokens: Tokens = [token]
  const path = Object.fromEntries(
    model.parameters
      .filter(({ parameter }) => parameter.in === 'path')
      .map(({ parameter }, index) => [parameter.name, pathValue(draft.path, request.target, index)]),
  )
  const headers = request.headers.map(([name, value]) => [name, fillToken(value, token)] as const)
  return model.judgeRequest(
    { target: fillToken(request.target, token), headers, body: request.body, path },
    tokens,
  ).breaches
}

const pathValue = (template: string, target: string, index: number): string => {
  const pattern = new RegExp(
    `^${template
      .split(/\{[^}]+\}/)
      .map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('([^/]*)')}$`,
  )
  return pattern.exec(target.split('?')[0] ?? '')?.[index + 1] ?? ''
}

/** Whether a breach is of the same place: a value of a wrong type is no member of the place's `enum` either. */
const isBeside = ({ id, subject }: Obligation, breach: Breach): boolean => {
  if (subject.kind === 'no-body') return breach.cause === 'body'
  if (subject.kind !== 'keyword' || subject.keyword === 'required')
    return isAbout({ id, subject } as Obligation, breach)
  const place = id.slice(0, id.indexOf(`/${subject.keyword}`, id.indexOf('/request/')) + 1)
  return breach.id.startsWith(place) && !breach.id.slice(place.length).includes('/required')
}

/** Whether a breach is of the obligation, and not of a neighbour that the same value happens to break. */
const isAbout = ({ id, subject }: Obligation, breach: Breach): boolean => {
  switch (subject.kind) {
    case 'malformed':
      return breach.id.endsWith('/request/body/json')
    case 'media':
      return breach.cause === 'media'
    case 'no-body':
      return subject.name === 'empty-object' || breach.id.includes('/request/body/required/')
    default:
      return breach.id === id
  }
}
