import {
  type Contract,
  createRouter,
  fillToken,
  isBelow,
  locationPath,
  malformedKinds,
  type Obligation,
  pathOf,
  pathValues,
  type RequestViolation,
  type Router,
  type Tokens,
  violatedProperties,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from './case.ts'
import type { OperationModel } from './operation-model.ts'
import { expectationOfKind, malformedHttpKindOf, rawRequestOf, renderRequest } from './render.ts'
import { isAllShown } from './shown-spec.ts'

type Expected = Pick<TestCase, 'expectation' | 'cause' | 'request'>

/**
 * What the contract expects of a request, judged from the bytes that go over the wire. Null if the request does not test this
 * obligation, or violates another one as well and so could raise a false alarm.
 */
export const expectationOf = (
  model: OperationModel,
  obligation: Obligation,
  spec: RequestSpec,
  token: string,
): Expected | null => {
  const request = renderRequest(model.operation, spec)
  // A header cannot carry every value.
  if (request.headers.some(([, value]) => unsendable.test(value)) || isOtherPath(spec.path, request.target))
    return null
  if (!isAllShown(model, spec)) return null
  if (isShadowed(model, spec, request.target)) return null
  // A workflow may send on purpose what is invalid.
  if (obligation.family === 'unspecified' || obligation.family === 'flow')
    return { expectation: 'either', cause: null, request }
  const violations = violationsOf(model, spec.path, request, token)
  const { subject } = obligation
  if (subject.kind === 'state' || subject.kind === 'callback') {
    const isMeant = (subject.name === 'rejected') === violations.length > 0
    return isMeant ? { expectation: 'either', cause: null, request } : null
  }
  if (subject.kind === 'credentials' && !subject.isAccepted) {
    const others = violations.filter(({ part }) => part !== 'credentials')
    const asMeant = others.length > 0 === (spec.credentials?.kind.invalidBody === true)
    // A variant of the token may equal the token: upper-cased, a token in capitals stays as it is.
    const wrong = violations.some(({ part }) => part === 'credentials')
    return asMeant && wrong ? { expectation: 'reject', cause: 'credentials', request } : null
  }
  if (obligation.family === 'reject') {
    const [first] = violations
    if (first === undefined) return null
    const about = violations.some(violation => isAbout(obligation, violation))
    const isMeant =
      subject.kind === 'several-violations'
        ? violatedProperties(violations).size > 1
        : isRuledOutInLess(model, spec, token)
    return about && isMeant && violations.every(violation => isBeside(obligation, violation))
      ? { expectation: 'reject', cause: first.part, request }
      : null
  }
  if (violations.length > 0 || isEmptyForm(model, request)) return null
  const kind = subject.kind === 'protocol' ? malformedHttpKindOf(subject.name) : null
  const raw = rawRequestOf(request, spec)
  return kind === null || raw === null
    ? { expectation: 'accept', cause: null, request }
    : { expectation: expectationOfKind(kind), cause: null, request: { ...request, raw } }
}

/** Whether the schema rules out what no reader has to read, where it is more than one can read: any value may stand there. */
const isRuledOutInLess = (model: OperationModel, spec: RequestSpec, token: string): boolean => {
  const { encoding, body } = spec
  const kind =
    encoding.kind === 'malformed' ? malformedKinds.find(({ name }) => name === encoding.name) : undefined
  if (encoding.kind !== 'malformed' || kind?.less === undefined) return true
  const text = kind.less(writeJson(body ?? {}), encoding.pick)
  const less = renderRequest(model.operation, { ...spec, encoding: { kind: 'text', text } })
  return violationsOf(model, spec.path, less, token).length > 0
}

/** If a body is required, conforming servers differ on a form without any field, which looks like no body; and on an empty text. */
const isEmptyForm = ({ operation, body }: OperationModel, request: Expected['request']): boolean =>
  body?.in === 'form' && operation.body?.required === true && request.body?.length === 0

/** An empty segment, or one of dots, makes it another path. */
const isOtherPath = (template: string, target: string): boolean => {
  const path = target.split('?')[0] ?? ''
  return (
    template.includes('{') &&
    /\/(?:\.{0,2}|(?:%2e){1,2})(?:\/|$)/i.test(template.endsWith('/') ? path.slice(0, -1) : path)
  )
}

/** Whether the path of another operation matches as well, and better: `/plants/new` is no plant of this name. */
const isShadowed = (
  { contract, operation }: OperationModel,
  { path, method }: RequestSpec,
  target: string,
): boolean => {
  if (path !== operation.path || method !== operation.method || !path.includes('{')) return false
  const find = routers.get(contract) ?? createRouter(contract)
  routers.set(contract, find)
  const route = find(method, target.split('?')[0] ?? '')
  return route.kind !== 'no-path' && route.operation.path !== path
}

const routers = new WeakMap<Contract, Router>()

const unsendable = /[^\t\x20-\x7e\x80-\xff]/

/** The violations of a request whose token is right; `template`: the path that it was written for. */
export const violationsOf = (
  model: Pick<OperationModel, 'judgeRequest'>,
  template: string,
  request: Expected['request'],
  token: string,
): readonly RequestViolation[] => {
  const tokens: Tokens = [token]
  const path = pathValues(template, request.target.split('?')[0] ?? '')
  const headers = request.headers.map(([name, value]) => [name, fillToken(value, token)] as const)
  return model.judgeRequest(
    { target: fillToken(request.target, token), headers, body: request.body, path },
    tokens,
  ).violations
}

/** Keywords about how many members there are, and which are equal: what violates one of them alone has valid members. */
const sizes = new Set(['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'])

/** Whether a violation is about the same place: a value of a wrong type is not in the place's `enum` either. */
const isBeside = ({ id, subject }: Obligation, violation: RequestViolation): boolean => {
  if (['no-body', 'several-violations', 'displaced'].includes(subject.kind)) return violation.part === 'body'
  if (subject.kind !== 'keyword' || subject.keyword === 'required')
    return isAbout({ id, subject } as Obligation, violation)
  const place = locationPath(subject.location)
  const { subject: violated } = violation
  const path = pathOf(violated)
  return (
    isBelow(path, place) &&
    !(violated.kind === 'keyword' && violated.keyword === 'required') &&
    !(sizes.has(subject.keyword) && path.length > place.length + 1)
  )
}

/** Whether a violation is of this obligation, and not of a neighbour that the same value happens to violate. */
const isAbout = ({ id, subject }: Obligation, violation: RequestViolation): boolean => {
  switch (subject.kind) {
    case 'malformed':
      return violation.subject.kind === 'malformed'
    case 'media':
      return violation.part === 'media'
    case 'displaced':
    case 'several-violations':
      return violation.part === 'body'
    case 'no-body':
      return subject.name === 'empty-object' || violation.subject.kind === 'no-body'
    default:
      return violation.id === id
  }
}
