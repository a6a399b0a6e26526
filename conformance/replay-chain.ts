/** Sends again what was recorded with steps before it: with resources of its own, as those of the run may be gone. */
import {
  type Contract,
  encodedTemplate,
  type HttpRequest,
  isObject,
  type Json,
  type Obligation,
  type Operation,
  type PathName,
  pathValues,
  type RecordedRequest,
  type RecordedStep,
  recordedBytes,
  resourcesOf,
  type StatusPolicy,
  secretName,
  setAt,
  step,
} from '../spec/index.ts'
import type { RequestSpec, TestCase } from './cases/case.ts'
import { decodeBody, withBody } from './cases/encode.ts'
import type { OperationModel } from './cases/operation-model.ts'
import { absentCredentials } from './cases/render.ts'
import { ReplayError } from './errors.ts'
import type { Access } from './options/access.ts'
import type { RunOptions } from './options/run-options.ts'
import { createScope } from './options/scope.ts'
import { fixedToken } from './options/token-source.ts'
import { isNamed } from './pool/is-named.ts'
import { createPool } from './pool/pool.ts'
import type { Sent } from './send/lost-connections.ts'
import { madeUpToken, type Transport } from './send/transport/index.ts'
import { createRunGate, startClock } from './session/run-clock.ts'
import { type OperationSession, openSession, type RunSession } from './session/session.ts'
import { createTrialAnswers } from './session/trial-answers.ts'
import { createdInstances } from './state/created-instances.ts'
import { allNamesIn } from './state/creator.ts'

export type ChainReplayOptions = {
  readonly contract: Contract
  readonly access: Access
  readonly policy: StatusPolicy
  readonly target: URL
  readonly token: string | null
  readonly otherToken: string | null
  readonly secrets: Readonly<Record<string, string>>
  readonly seed: number
  readonly product: RunOptions['product']
}

type Recorded = { readonly request: RecordedRequest; readonly steps: readonly RecordedStep[] }

/** The session of a single case. */
export const sessionFor = (options: ChainReplayOptions, transport: Transport): RunSession => {
  const { contract, access, policy, target, token, seed, product } = options
  const run: RunOptions = {
    ...access,
    ...policy,
    strict: false,
    auth: null,
    malformedHttp: false,
    stateless: false,
    ownership: false,
    callbacks: false,
    flows: [],
    flowInputs: {},
    only: [],
    skip: [],
    never: [],
    // Whoever sends a case again has asked for just that.
    include: ['/*'],
    named: [],
    waivers: [],
    baseline: [],
    shrinkBaseline: false,
    pins: [],
    maxResponseTime: [],
    minTested: 1,
    contract,
    target,
    token: fixedToken(token ?? madeUpToken),
    isTokenKnown: token !== null,
    otherToken: options.otherToken === null ? null : fixedToken(options.otherToken),
    secretsOfSchemes: new Map(
      Object.entries(options.secrets).map(([name, value]) => [secretName(name), fixedToken(value)]),
    ),
    secrets: [],
    seed,
    testedProduct: null,
    runBy: null,
    nonce: null,
    cases: 1,
    needed: 1,
    maxSeconds: null,
    msBefore: 0,
    sustained: 0,
    concurrency: 1,
    waitSeconds: null,
    bail: false,
    listen: null,
    fixtures: {},
    createdNames: {},
    examples: {},
    keep: true,
    ciRun: null,
    planCache: null,
    slices: null,
    at: '',
    product,
    onEvent: () => {},
    onExchange: null,
    watch: null,
    signal: new AbortController().signal,
  }
  const scope = createScope(contract, run, '')
  const clock = startClock(run)
  const gate = createRunGate(scope.gate, clock, run.signal)
  return openSession(
    {
      options: run,
      scope,
      clock,
      transport,
      gate,
      listener: null,
      created: createdInstances(),
      pool: createPool(contract.operations),
      answers: createTrialAnswers(),
    },
    0,
  )
}

/** Runs the chain of an obligation about what the server keeps, with the recorded request in the place of its subject. */
export const sendChain = async (
  session: RunSession,
  { id, operation: name, subject }: Obligation,
  obligation: Obligation,
  recorded: Recorded,
): Promise<Sent> => {
  const operation = session.operations.get(name) as OperationSession
  const { model, sender, valid } = operation
  if (valid === undefined || subject.kind !== 'state') throw new ReplayError(`${id} cannot be tested`)
  const plain = sender.validCase(valid, 'plain')
  const request = subjectOf(model.operation, recorded)
  const bytes = request?.body == null ? null : recordedBytes(request.body)
  const body =
    request === undefined || bytes === null
      ? undefined
      : decodeBody(model.operation, { headers: request.headers, body: bytes })
  const isWithoutToken = subject.name === 'rejected' && (body === undefined || model.isValidBody(body))
  const spec: RequestSpec = {
    ...plain.spec,
    body,
    encoding: body === undefined ? { kind: 'absent' } : { kind: 'json' },
    credentials: isWithoutToken ? absentCredentials(model.operation) : null,
  }
  return sender.send({ ...plain, obligation, expectation: 'either', spec })
}

/** The recorded request that the chain is about. */
const subjectOf = ({ id, method }: Operation, { request, steps }: Recorded): RecordedRequest | undefined =>
  steps.findLast(({ role }) => role === 'subject')?.request ??
  steps.find(({ role, operation }) => role === 'create' && operation === id)?.request ??
  (request.method === method ? request : undefined)

/** The recorded request and its case with the name of a resource that exists now. Throws ReplayError if none can be made. */
export const withExisting = async (
  session: RunSession,
  testCase: TestCase,
  request: HttpRequest,
): Promise<TestCase> => {
  const { operation } = testCase.obligation
  const { model, sender, valid } = session.operations.get(operation) as OperationSession
  const binder = session.store.binderOf(model)
  if (binder === null || valid === undefined) return testCase
  const binding = await binder.bind(sender.validCase(valid, 'plain'), () => false)
  if (binding.kind === 'missing')
    throw new ReplayError(`nothing exists that it could ask for: ${binding.reason}`)
  const { chain } = binding.testCase
  if (chain === undefined) return testCase
  const names = resourcesOf(model.contract).namesIn(model.operation)
  return { ...testCase, request: renamed(model, request, names, chain.values), chain }
}

/** A request that created something in a resource. */
export type Content = { readonly operation: string; readonly request: HttpRequest }

/** The request for a resource of these names. */
export const withNames = (
  session: RunSession,
  { operation, request }: Content,
  values: readonly Json[],
): HttpRequest => {
  const { model } = session.operations.get(operation) as OperationSession
  return renamed(model, request, allNamesIn(model), values)
}

/** The request with other values in its path, and in its body where that has the last of them. */
const renamed = (
  model: OperationModel,
  request: HttpRequest,
  names: readonly PathName[],
  values: readonly Json[],
): HttpRequest => {
  const [path = '', ...query] = request.target.split('?')
  const before = pathValues(model.operation.path, path)
  const texts: Record<string, string> = { ...before }
  names.forEach(({ parameter }, index) => {
    if (values[index] !== undefined) texts[parameter] = encodeURIComponent(String(values[index]))
  })
  const target = encodedTemplate(model.operation.path).replace(
    /\{([^{}]+)\}/g,
    (_all, name: string) => texts[name] ?? '',
  )
  const last = names.at(-1)?.parameter ?? ''
  const body = decodeBody(model.operation, request)
  const key = isObject(body)
    ? Object.keys(body).find(name => isNamed(body[name], decodeURIComponent(before[last] ?? '')))
    : undefined
  const value = values.at(-1)
  const renamedBody =
    body === undefined || key === undefined || value === undefined
      ? request
      : withBody(model.operation, request, setAt(body, step('', key), value))
  return { ...renamedBody, target: [target, ...query].join('?') }
}
