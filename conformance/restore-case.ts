/** A test case made again from what a ledger recorded of it. */
import { deriveSeed } from '../generator/index.ts'
import {
  type Contract,
  callbackObligationsOf,
  credentialKinds,
  type Expectation,
  type HttpRequest,
  type IdentityRange,
  isObject,
  keyHeaderOf,
  type Ledger,
  type Obligation,
  type Operation,
  obligationsOf,
  ownershipObligationsOf,
  pinned,
  protocolObligationsOf,
  rejectedPart,
  resourcesOf,
  type Subject,
  setAt,
  stateObligationsOf,
  statusPolicyOf,
  step,
} from '../spec/index.ts'
import type { RequestSpec, TestCase } from './cases/case.ts'
import { decodeBody, withBody } from './cases/encode.ts'
import { createIdentities, isUuid } from './cases/identities.ts'
import type { OperationModel } from './cases/operation-model.ts'

/**
 * `tested`: the obligation that the case was sent for; `obligation`: the one that it is judged by now; `isThere`: whether
 * what its path names existed.
 */
export const restoreCase = (
  model: OperationModel,
  request: HttpRequest,
  expectation: Expectation,
  obligation: Obligation,
  tested: Obligation,
  exists: boolean,
): TestCase => ({
  number: 0,
  obligation,
  expectation,
  cause: rejectedPart(tested),
  spec: specOf(model, request, tested),
  request,
  precondition: 'none',
  ...(resourcesOf(model.contract).namesIn(model.operation).length === 0
    ? {}
    : { chain: { steps: [], values: [], exists } }),
})

const specOf = (
  { operation, body }: OperationModel,
  request: HttpRequest,
  { family, subject }: Obligation,
): RequestSpec => {
  const credentials = credentialsOf(operation, subject)
  return {
    method: request.method,
    path: family === 'unspecified' && request.method !== operation.method ? request.target : operation.path,
    parameters: {},
    body: decodeBody(operation, request),
    encoding: { kind: 'json' },
    contentType: body?.media.type ?? null,
    chunked: request.chunked,
    queryEscapes: false,
    credentials,
    extra: credentials?.kind.extra[0] ?? [],
    renewable: false,
    derivedFrom: null,
    malformedHttp: null,
  }
}

// The request is written already: only the kind of its credentials matters.
const credentialsOf = (operation: Operation, subject: Subject): RequestSpec['credentials'] => {
  const kind =
    subject.kind === 'credentials'
      ? credentialKinds(operation).find(({ name }) => name === subject.name)
      : undefined
  return kind === undefined ? null : { kind, pick: 0 }
}

/** An identity from the range that the run gave out stands for nothing but itself, so a fresh one takes its place. */
export const withFreshIdentity = (
  { identity, operation }: OperationModel,
  request: HttpRequest,
  expectation: Expectation,
  range: IdentityRange | undefined,
  seed: number,
): HttpRequest => {
  if (expectation !== 'accept' || identity === null || range === undefined || request.body === null)
    return request
  const value = decodeBody(operation, request)
  if (value === undefined || !isObject(value) || !isWithin(range, String(value[identity.name])))
    return request
  const fresh = setAt(value, step('', identity.name), createIdentities(identity, seed, 2, 0).spare())
  return withBody(operation, request, fresh)
}

/** A server that knows the key of a request gives the response of then, so another one takes its place. */
export const withFreshKey = (
  { contract, operation }: OperationModel,
  request: HttpRequest,
  seed: number,
): HttpRequest => {
  const name = keyHeaderOf(contract, operation)?.name
  const fresh = `${deriveSeed(seed, 'key').toString(16).padStart(8, '0')}-0000-4000-b000-`
  return {
    ...request,
    headers: request.headers.map(([header, value]) =>
      header === name && isUuid(value) ? [header, fresh + value.slice(fresh.length)] : [header, value],
    ),
  }
}

const isWithin = ({ from, to }: IdentityRange, text: string): boolean =>
  /^\d+$/.test(text)
    ? BigInt(text) >= BigInt(from) && BigInt(text) <= BigInt(to)
    : text.startsWith(from.replace(/(?<!\d)\d+$/, ''))

/** The obligations of a contract as the run of a ledger had them, with its pins. */
export const obligationsIn = (contract: Contract, ledger: Ledger): readonly Obligation[] =>
  withPins(ledger, [
    ...obligationsOf(contract, statusPolicyOf(ledger).unauthenticated),
    ...stateObligationsOf(contract),
    ...ownershipObligationsOf(contract),
    ...callbackObligationsOf(contract),
    ...protocolObligationsOf(contract),
  ])

const withPins = ({ start }: Ledger, obligations: readonly Obligation[]): readonly Obligation[] => {
  const ids = new Set(obligations.map(({ id }) => id))
  return pinned(
    obligations,
    start.obligations.flatMap(({ id, pinned: answers }) =>
      answers === undefined || !ids.has(id) ? [] : [{ obligation: id, answers }],
    ),
  )
}
