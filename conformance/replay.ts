import {
  type Contract,
  credentialKinds,
  type Expectation,
  type Flaw,
  headerPlaceholder,
  isObject,
  type Ledger,
  type Obligation,
  type Operation,
  type Outcome,
  obligationsOf,
  pinned,
  type RecordedRequest,
  type Request,
  recordedBytes,
  type Secret,
  type Subject,
  setAt,
  step,
  testedScheme,
  unauthenticatedOf,
  wireObligationsOf,
} from '../spec/index.ts'
import { type Case, caseId, type Draft } from './case.ts'
import { decodeBody, encodeBody } from './encode.ts'
import { secretsOf } from './extra-headers.ts'
import { createIdentities } from './identities.ts'
import { judgeCase } from './judge-case.ts'
import { plainDrafts } from './makers/index.ts'
import { createModel, type Model } from './model.ts'
import { createRandomValues } from './random-values.ts'
import { renderRequest } from './render.ts'
import { type AccessOptions, accessOf, createTransport, madeUpToken } from './transport/index.ts'

export type ReplayOptions = AccessOptions & {
  readonly contract: Contract
  readonly ledger: Ledger
  /** The id of a finding or an exchange in the ledger. */
  readonly id: string
  readonly target: URL
  readonly token: string | null
  /** Fresh identities follow from it, so that a plant is not refused for having been there before. */
  readonly seed: number
}

export type Replayed = {
  readonly obligation: Obligation
  readonly expected: Expectation
  readonly request: Request
  readonly outcome: Outcome
  /** What the answer breaks now; empty: all that it is about is kept. */
  readonly flaws: readonly Flaw[]
  /** What must not be told of all this. */
  readonly secrets: readonly Secret[]
}

/** The ledger has no such case, or not enough of it to send again. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}

type Found = {
  readonly obligation: string
  readonly expected: Expectation
  readonly request: RecordedRequest
}

/** Sends one recorded case again and judges the answer anew. */
export const replay = async (options: ReplayOptions): Promise<Replayed> => {
  const { contract, ledger, id, target, token } = options
  const access = accessOf(options)
  const found: Found | undefined =
    ledger.findings.find(finding => finding.id === id) ??
    ledger.exchanges.find(exchange => exchange.id === id)
  if (found === undefined) throw new ReplayError(`the ledger has no case ${id}: ${suggestion(ledger)}`)
  const policy = unauthenticatedOf(ledger)
  const obligations = [...obligationsOf(contract, policy), ...wireObligationsOf(contract)]
  const obligation = heldTo(ledger, obligations).find(own => own.id === found.obligation)
  // A finding may be about any answer: what its case was to show, the exchange tells.
  const exchange = ledger.exchanges.find(own => own.id === id)
  const shows = obligations.find(own => own.id === exchange?.obligation) ?? obligation
  const operation = contract.operations.find(own => own.id === obligation?.operation)
  if (obligation === undefined || shows === undefined || operation === undefined)
    throw new ReplayError(
      `the contract has no obligation ${found.obligation}: give the document of the recorded run with --spec`,
    )
  const model = createModel(contract, operation)
  const request = renewed(model, options, restored(found.request, id), found.expected)
  const asked: Case = {
    number: 0,
    obligation,
    expected: found.expected,
    cause: causeOf(shows),
    draft: draftOf(model, request, shows),
    request,
    lane: 'any',
  }
  const missing = found.request.headers.find(
    ([name, value]) => value === headerPlaceholder && access.headers.every(([own]) => !sameName(own, name)),
  )
  if (missing !== undefined)
    throw new ReplayError(
      `the run sent an extra header ${missing[0]}: give it with --header '${missing[0]}: …'`,
    )
  const transport = createTransport({ base: target, token: token ?? madeUpToken, access })
  try {
    const before = sentBefore(obligation, request, () => plainRequest(model, options))
    const outcome =
      before === null ? await transport.send(request) : (await transport.sendInRow([before, request])).at(-1)
    const { own, others } = judgeCase(model, asked, outcome as Outcome, policy)
    return {
      obligation,
      expected: found.expected,
      request,
      outcome: outcome as Outcome,
      flaws: own === null ? others : [own, ...others],
      secrets: secretsOf(token, access),
    }
  } finally {
    await transport.close()
  }
}

/** The obligations, with the pin of the open question that the ledger tells of. */
const heldTo = ({ start }: Ledger, obligations: readonly Obligation[]): readonly Obligation[] => {
  const ids = new Set(obligations.map(({ id }) => id))
  return pinned(
    obligations,
    start.obligations.flatMap(({ id, pinned: answers }) =>
      answers === undefined || !ids.has(id) ? [] : [{ obligation: id, answers }],
    ),
  )
}

/** What has to go before a request for it to test what it did. */
const sentBefore = ({ subject }: Obligation, request: Request, plain: () => Request): Request | null => {
  if (subject.kind === 'credentials' && subject.name.startsWith('sticky')) return plain()
  return subject.kind === 'open' && subject.name === 'duplicate-id' ? request : null
}

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const suggestion = ({ findings, exchanges }: Ledger): string =>
  findings.length > 0
    ? `its findings are ${findings.map(finding => finding.id).join(', ')}`
    : `its cases go from ${caseId(0)} to ${exchanges.at(-1)?.id ?? caseId(0)}`

const restored = ({ body, ...rest }: RecordedRequest, id: string): Request => {
  const bytes = body === null ? null : recordedBytes(body)
  if (body !== null && bytes === null)
    throw new ReplayError(
      `the body of case ${id} was cut when it was recorded (${body.bytes} bytes): run again with the same seed`,
    )
  return { ...rest, body: bytes }
}

/** Inside the run's own range an identity stands for nothing but itself: another one does as well. */
const renewed = (
  model: Model,
  { ledger, seed }: ReplayOptions,
  request: Request,
  expected: Expectation,
): Request => {
  const range = ledger.start.identities.find(({ operation }) => operation === model.operation.id)
  if (expected !== 'accepted' || model.identity === null || range === undefined || request.body === null)
    return request
  const value = decodeBody(request.body, model.body)
  if (value === undefined || !isObject(value)) return request
  const own = String(value[model.identity.name])
  const inside = /^\d+$/.test(own)
    ? BigInt(own) >= BigInt(range.from) && BigInt(own) <= BigInt(range.to)
    : own.startsWith(range.from.replace(/\d+$/, ''))
  if (!inside) return request
  const fresh = createIdentities(model.identity, seed, 2, 0).spare()
  const renewedBody = setAt(value, step('', model.identity.name), fresh)
  return { ...request, body: encodeBody(renewedBody, { kind: 'json' }, model.body?.media.form ?? null) }
}

const plainRequest = (model: Model, { seed }: ReplayOptions): Request => {
  const identities = model.identity === null ? null : createIdentities(model.identity, seed, 3, 0)
  return renderRequest(
    model.operation,
    plainDrafts({
      model,
      identities,
      seed,
      tokenKnown: true,
      values: createRandomValues(model, seed),
    })(0),
  )
}

const causeOf = ({ family, subject }: Obligation): Case['cause'] =>
  family === 'bearer'
    ? 'credentials'
    : subject.kind === 'media'
      ? 'media'
      : family === 'refuse'
        ? 'body'
        : null

const draftOf = ({ operation, body }: Model, request: Request, { family, subject }: Obligation): Draft => {
  return {
    method: request.method,
    path: family === 'open' && request.method !== operation.method ? request.target : operation.path,
    parameters: {},
    body: request.body === null ? undefined : decodeBody(request.body, body),
    encoding: { kind: 'json' },
    contentType: body?.media.type ?? null,
    chunked: request.chunked,
    credentials: credentialsOf(operation, subject),
    renewable: false,
    wire: null,
  }
}

// The request is written already: what is left to tell is the kind of its credentials.
const credentialsOf = (operation: Operation, subject: Subject): Draft['credentials'] => {
  const scheme = testedScheme({ operation })
  const kind =
    subject.kind === 'credentials' && scheme !== null
      ? credentialKinds(scheme).find(({ name }) => name === subject.name)
      : undefined
  return kind === undefined ? null : { kind, pick: 0 }
}
