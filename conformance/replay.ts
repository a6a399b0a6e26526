import {
  type Contract,
  type Expectation,
  type HttpRequest,
  headerPlaceholder,
  type Ledger,
  type Obligation,
  type Operation,
  type Outcome,
  otherUser,
  type RecordedRequest,
  type RecordedStep,
  type ResponseViolation,
  recordedBytes,
  type Secret,
  type SecretOf,
  secretName,
  statusPolicyOf,
  withCredentialForm,
  withSecrets,
} from '../spec/index.ts'
import { caseId, type TestCase } from './cases/case.ts'
import { createIdentities } from './cases/identities.ts'
import { createOperationModel, type OperationModel } from './cases/operation-model.ts'
import { createRandomValues } from './cases/random-values.ts'
import { renderRequest } from './cases/render.ts'
import { plainSpecs } from './cases/strategies/index.ts'
import { ReplayError } from './errors.ts'
import { insteadOfReplay } from './instead-of-replay.ts'
import { judgeCase, violationsIn } from './judge/judge-case.ts'
import { type Access, type AccessOptions, accessOf } from './options/access.ts'
import { type Content, sendChain, sessionFor, withExisting, withNames } from './replay-chain.ts'
import { obligationsIn, restoreCase, withFreshIdentity, withFreshKey } from './restore-case.ts'
import type { Sent } from './send/lost-connections.ts'
import { secretsOf } from './send/redaction.ts'
import { createTransport, madeUpToken, type Transport } from './send/transport/index.ts'
import type { RunSession } from './session/session.ts'

export type ReplayOptions = AccessOptions & {
  readonly contract: Contract
  readonly ledger: Ledger
  /** The id of a finding or an exchange in the ledger. */
  readonly id: string
  /** Base URL of the server. */
  readonly target: URL
  /** The right token; null: none is known. */
  readonly token: string | null
  /** How it is sent, as of `verify`. Default: as in the recorded run. */
  readonly auth?: string | undefined
  /** The right token of another user, for a case that tries with it. Default: none is known. */
  readonly otherToken?: string | undefined
  /** Secrets by the name of their security scheme. Default: none. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** Fresh identities follow from it, so that the server does not reject a plant because it has seen it. */
  readonly seed: number
}

export type Replayed = {
  readonly obligation: Obligation
  readonly expectation: Expectation
  readonly request: HttpRequest
  readonly outcome: Outcome
  /** What the response violates now. */
  readonly violations: readonly ResponseViolation[]
  /** What nothing that is printed may hold. */
  readonly secrets: readonly Secret[]
}

/** Sends a recorded case again and judges the response. Throws ReplayError. */
export const replay = async (options: ReplayOptions): Promise<Replayed> => {
  const { ledger, id, target, token, seed } = options
  const { secrets = {}, otherToken = null } = options
  const inForm = withCredentialForm(options.contract, options.auth ?? ledger.start.policies.auth ?? null)
  const contract = withSecrets(inForm, Object.keys(secrets))
  const access = accessOf(options)
  const others = [...Object.values(secrets), ...(otherToken === null ? [] : [otherToken])]
  const unprinted = [...others, ...secretsOf(token, access)]
  const policy = statusPolicyOf(ledger)
  const { record, obligation, tested, operation } = findCase(contract, ledger, id)
  const { expectation } = record
  checkHeaders(record.request, access)
  if (otherToken === null && (record.steps ?? []).some(({ request }) => isOfOther(request)))
    throw new ReplayError(
      'the case has requests of another user: give its token with --other-token, or in PLANTSTORE_OTHER_TOKEN',
    )
  const model = createOperationModel(contract, operation)
  const range = ledger.start.identities.find(identities => identities.operation === operation.id)
  const known = withFreshKey(model, restored(record.request, id), seed)
  const request = withFreshIdentity(model, known, expectation, range, seed)
  const testCase = restoreCase(model, request, expectation, obligation, tested, record.steps !== undefined)
  const transport = createTransport({
    ...access,
    contract,
    target,
    token: filling(token ?? madeUpToken, otherToken, secrets),
  })
  try {
    const { steps } = record
    if (steps !== undefined) {
      const session = sessionFor(
        { contract, access, policy, target, token, otherToken, secrets, seed, product: ledger.start.product },
        transport,
      )
      const sent =
        tested.subject.kind === 'state'
          ? await sendChain(session, tested, obligation, { request: record.request, steps })
          : await sendExisting(session, testCase, request, transport, contentsIn(steps, id))
      if (sent.missing !== undefined) throw new ReplayError(`the case cannot be sent again: ${sent.missing}`)
      const violations = violationsIn(judgeCase(model, sent.testCase, sent.outcome, policy))
      const { testCase: asSent, outcome } = sent
      return {
        obligation,
        expectation,
        request: asSent.request,
        outcome,
        violations,
        secrets: unprinted,
      }
    }
    const before = requestBefore(obligation, request, model, seed)
    const outcome =
      before === null
        ? await transport.send(request)
        : ((await transport.sendInRow([before, request])).at(-1) as Outcome)
    const violations = violationsIn(judgeCase(model, testCase, outcome, policy))
    return {
      obligation,
      expectation,
      request,
      outcome,
      violations,
      secrets: unprinted,
    }
  } finally {
    await transport.close()
  }
}

/** Whether a request was sent with the token of another user. */
const isOfOther = ({ target, headers }: RecordedRequest): boolean =>
  [target, ...headers.map(([, value]) => value)].some(text => text.includes(`@${otherUser}`))

const filling = (
  token: string,
  otherToken: string | null,
  secrets: Readonly<Record<string, string>>,
): SecretOf => {
  const named = new Map(Object.entries(secrets).map(([scheme, secret]) => [secretName(scheme), secret]))
  return name => (name === otherUser ? otherToken : named.get(name ?? '')) ?? token
}

const sendExisting = async (
  session: RunSession,
  testCase: TestCase,
  request: HttpRequest,
  transport: Transport,
  contents: readonly Content[],
): Promise<Sent> => {
  const bound = await withExisting(session, testCase, request)
  for (const each of contents) await transport.send(withNames(session, each, bound.chain?.values ?? []))
  return { testCase: bound, outcome: await transport.send(bound.request), lost: null }
}

/** The requests that created something in what the case asks for. */
const contentsIn = (steps: readonly RecordedStep[], id: string): readonly Content[] =>
  steps.flatMap(({ role, operation, request }) =>
    role === 'content' ? [{ operation, request: restored(request, id) }] : [],
  )

type FoundCase = {
  readonly record: Pick<Ledger['exchanges'][number], 'obligation' | 'expectation' | 'request' | 'steps'>
  /** What the finding is about. */
  readonly obligation: Obligation
  /** What its case was sent for: a finding may be about any response. */
  readonly tested: Obligation
  readonly operation: Operation
}

const findCase = (contract: Contract, ledger: Ledger, id: string): FoundCase => {
  const exchange = ledger.exchanges.find(candidate => candidate.id === id)
  const record = ledger.findings.find(finding => finding.id === id) ?? exchange
  if (record === undefined) throw new ReplayError(`the ledger has no case ${id}: ${suggestion(ledger)}`)
  const all = obligationsIn(contract, ledger)
  const recorded = ledger.start.obligations.find(candidate => candidate.id === record.obligation)
  const again = insteadOfReplay(record, recorded, ledger.start)
  if (again !== null) throw new ReplayError(again)
  const obligation = all.find(candidate => candidate.id === record.obligation)
  const operation = contract.operations.find(candidate => candidate.id === obligation?.operation)
  if (obligation === undefined || operation === undefined)
    throw new ReplayError(
      `the contract has no obligation ${record.obligation}: give the document of the recorded run with --spec`,
    )
  const tested = all.find(candidate => candidate.id === exchange?.obligation) ?? obligation
  return { record, obligation, tested, operation }
}

const suggestion = ({ findings, exchanges }: Ledger): string =>
  findings.length > 0
    ? `its findings are ${findings.map(finding => finding.id).join(', ')}`
    : `its cases are ${caseId(0)} to ${exchanges.at(-1)?.id ?? caseId(0)}`

const checkHeaders = (request: RecordedRequest, { headers }: Access): void => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const missing = request.headers.find(
    ([name, value]) => value === headerPlaceholder && !names.has(name.toLowerCase()),
  )
  if (missing !== undefined)
    throw new ReplayError(
      `the run sent an extra header ${missing[0]}: give it with --header '${missing[0]}: …'`,
    )
}

const restored = ({ body, ...rest }: RecordedRequest, id: string): HttpRequest => {
  const bytes = body === null ? null : recordedBytes(body)
  if (body !== null && bytes === null)
    throw new ReplayError(
      `the body of case ${id} was cut when it was recorded (${body.bytes} bytes): run the suite again with the same seed`,
    )
  return { ...rest, body: bytes }
}

/** What has to go before a request on its connection, so that it tests what it tested in the run. */
const requestBefore = (
  { subject }: Obligation,
  request: HttpRequest,
  model: OperationModel,
  seed: number,
): HttpRequest | null => {
  if (subject.kind === 'unspecified' && subject.name === 'duplicate-id') return request
  return subject.kind === 'credentials' && subject.name.startsWith('sticky')
    ? plainRequest(model, seed)
    : null
}

const plainRequest = (model: OperationModel, seed: number): HttpRequest => {
  const identities = model.identity === null ? null : createIdentities(model.identity, seed, 3, 0)
  const context = {
    model,
    identities,
    seed,
    isTokenKnown: true,
    isForwarded: false,
    values: createRandomValues(model, seed),
  }
  return renderRequest(model.operation, plainSpecs(context)(0))
}
