import {
  type Finding,
  isArray,
  isObject,
  type Json,
  type Ledger,
  type Operation,
  otherUser,
  type RecordedBody,
  type RecordedRequest,
  type RecordedStep,
  readJson,
  recordedBytes,
  safeText,
  sameJson,
  scalarText,
} from '../../spec/index.ts'
import { recordedObligations } from '../view/causes.ts'
import { titleText } from '../view/finding-text.ts'

/** A request of a test. Texts may have `{{token}}`, `{{basic}}` for it in base64, and `{{created1}}` for what an earlier one created. */
export type TestRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Null if there is none; text, or bytes in base64. */
  readonly body: { readonly encoding: 'utf8' | 'base64'; readonly data: string } | null
}

/** A request that is sent before the one that is tested. */
export type TestStep = TestRequest & {
  /** Whether it has to be answered by a success. */
  readonly succeeds: boolean
  /** What later requests take from its response: a value of the JSON in its body, or the last segment of `Location`; null if nothing. */
  readonly keeps: { readonly as: string; readonly at: Path | 'location' } | null
}

/** Requests, and the statuses that may answer the last, ready to be written as a test of another tool. */
export type RegressionTest = {
  /** `createPlant: accepted null as \`tag\`` */
  readonly title: string
  /** What it is about, in lines for a comment. */
  readonly about: readonly string[]
  /** Base URL of the run. */
  readonly base: string
  readonly steps: readonly TestStep[]
  readonly request: TestRequest
  /** Ranges of statuses, with both ends. */
  readonly statuses: readonly Range[]
}

type Range = readonly [least: number, most: number]

/** Headers that clients set themselves, or that belong to the connection; a test of those in `tested` is not one for such clients. */
const tested = ['expect', 'upgrade', 'te', 'trailer', 'connection']
const ofClient = new Set([...tested, 'host', 'content-length', 'transfer-encoding', 'keep-alive'])

/** The test of a finding; or why the status of a response does not show it. */
export const regressionTestOf = (
  { start }: Ledger,
  finding: Finding,
  operation: Operation,
): RegressionTest | { readonly problem: string } => {
  const { request, steps = [], obligation } = finding
  const { names = [], requirement = '' } = recordedObligations(start).get(obligation) ?? {}
  const statuses = statusesOf(finding, operation, names)
  const problem = problemOf([...steps.map(step => step.request), request])
  if (problem !== null) return { problem }
  if (statuses === null) return { problem: 'it is about more than the status of one response' }
  const chain = chainOf(steps, request)
  return {
    title: `${safeText(operation.id)}: ${titleText(finding)}`,
    about: [
      requirement,
      `expected ${finding.expected}`,
      `was ${finding.actual}`,
      ...(chain.steps.length > 0 ? ['what the first requests create must not be there yet'] : []),
    ].map(line => safeText(line).slice(0, 300)),
    base: start.target,
    statuses,
    ...chain,
  }
}

/** The right credentials of HTTP Basic. */
const basic = '{{token:basic}}'

/** `{{token:cut}}`, a secret of a scheme, or a header of the user's own. */
const otherForm = /\{\{(?!token(?::basic)?\}\})/

const problemOf = (requests: readonly RecordedRequest[]): string | null => {
  const names = requests.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()))
  const values = requests.flatMap(({ headers }) => headers.map(([, value]) => value))
  if (requests.some(({ raw }) => raw !== undefined)) return 'it is about bytes that no HTTP client sends'
  if (requests.some(({ body }) => body !== null && recordedBytes(body) === null))
    return 'the ledger has only the beginning of a body'
  if (
    requests.some(({ headers }) => new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length)
  )
    return 'it sends a header twice'
  if (requests.some(({ chunked }) => chunked) || names.some(name => tested.includes(name)))
    return 'it is about headers that clients set themselves'
  if (values.concat(requests.map(({ target }) => target)).some(text => text.includes(`@${otherUser}`)))
    return 'it needs two users, and such a test has one token'
  return otherForm.test(values.join(' ')) ? 'it sends the token in another form' : null
}

/** What a request to something that has to be there, or must not be, may be answered by. */
const statusesOfState: Readonly<Record<string, Range>> = {
  'read-back': [200, 299],
  location: [200, 299],
  gone: [400, 499],
  unknown: [400, 499],
  elsewhere: [400, 499],
  rejected: [400, 499],
}

/** What these families are about shows in several responses, or in their headers. */
const ofSeveral: ReadonlySet<string | undefined> = new Set([
  'stability',
  'protocol',
  'idempotency',
  'conditional',
])

/** Null if no status shows the failure. */
const statusesOf = (
  { expectation, outcome, step }: Finding,
  { responses }: Operation,
  [family, aspect = '']: readonly string[],
): RegressionTest['statuses'] | null => {
  if (family === 'state') {
    const range = statusesOfState[aspect]
    const status = outcome.kind === 'response' ? outcome.status : 0
    const isShown = range !== undefined && step === undefined && !(range[0] <= status && status <= range[1])
    return isShown ? [range] : null
  }
  if (ofSeveral.has(family)) return null
  if (family === 'response' && aspect !== 'declared') return null
  const allowed = [expectation === 'reject' ? 400 : 100, expectation === 'accept' ? 399 : 499] as const
  if (aspect !== 'declared') return [expectation === 'accept' ? [200, 299] : allowed]
  return responses
    .map(({ status }) => rangeOf(status))
    .map(([least, most]) => [Math.max(least, allowed[0]), Math.min(most, allowed[1])] as const)
    .filter(([least, most]) => least <= most)
}

/** `200`, `4XX`, `default` */
const rangeOf = (status: string): Range => {
  if (/^\d{3}$/.test(status)) return [Number(status), Number(status)]
  const first = Number(status[0])
  return first > 0 ? [first * 100, first * 100 + 99] : [100, 599]
}

/** The requests, each with what the responses before it name in place of the names of the run. */
const chainOf = (
  recorded: readonly RecordedStep[],
  last: RecordedRequest,
): Pick<RegressionTest, 'steps' | 'request'> => {
  const known: Named[] = []
  const steps = recorded.map((step): TestStep => {
    const request = testRequest(step.request, known)
    const { outcome, name } = step
    const at = name === undefined ? null : placeOfName(step, name)
    const as = `created${known.length + 1}`
    if (name !== undefined && at !== null) known.push({ as, name })
    return {
      ...request,
      succeeds: outcome.kind === 'response' && outcome.status < 400,
      keeps: at === null ? null : { as, at },
    }
  })
  return { steps, request: testRequest(last, known) }
}

type Named = { readonly as: string; readonly name: Json }

/** Where a response has the name of what it is about; null if only the request has it. */
const placeOfName = ({ outcome }: RecordedStep, name: Json): NonNullable<TestStep['keeps']>['at'] | null => {
  if (outcome.kind !== 'response') return null
  const inBody = pathTo(jsonIn(outcome.body), name)
  if (inBody !== null) return inBody
  const location = outcome.headers.find(([header]) => header.toLowerCase() === 'location')?.[1]
  return location?.split(/[?#]/)[0]?.endsWith(`/${encodeURIComponent(scalarText(name))}`) === true
    ? 'location'
    : null
}

/** The JSON of a body; undefined if it is none, or if the ledger has not all of it. */
const jsonIn = (body: RecordedBody): Json | undefined => {
  const bytes = recordedBytes(body)
  const reading = bytes === null ? null : readJson(bytes)
  return reading?.ok === true ? reading.value : undefined
}

type Path = readonly (string | number)[]

/** The shortest way to a value in another. */
const pathTo = (within: Json | undefined, name: Json): Path | null => {
  let level: (readonly [path: Path, value: Json | undefined])[] = [[[], within]]
  while (level.length > 0) {
    const found = level.find(([, value]) => isScalar(value) && scalarText(value) === scalarText(name))
    if (found !== undefined) return found[0]
    level = level.flatMap(([path, value]) => entriesOf(value).map(([key, item]) => [[...path, key], item]))
  }
  return null
}

const isScalar = (value: Json | undefined): value is Json =>
  value !== undefined && !isArray(value) && !isObject(value)

const entriesOf = (value: Json | undefined): readonly (readonly [key: string | number, item: Json])[] => {
  if (isArray(value)) return [...value.entries()]
  return isObject(value) ? Object.entries(value) : []
}

const testRequest = (
  { method, target, headers, body }: RecordedRequest,
  known: readonly Named[],
): TestRequest => ({
  method,
  // Segments of the path, and values of the query.
  target: target
    .split(/([/?&#=])/)
    .map(part => {
      const of = known.find(({ name }) => encodeURIComponent(scalarText(name)) === part)
      return of === undefined ? part : `{{${of.as}}}`
    })
    .join(''),
  headers: headers
    .filter(([name]) => !ofClient.has(name.toLowerCase()))
    .map(([name, value]) => [name, value.replaceAll(basic, '{{basic}}')]),
  body: body === null || body.bytes === 0 ? null : { ...body, data: withNames(body, known) },
})

/** The text of a body, in whose JSON what was created stands in place of the names of the run; any other text is as it was. */
const withNames = (body: RecordedBody, known: readonly Named[]): string => {
  const value = known.length === 0 ? undefined : jsonIn(body)
  if (value === undefined || JSON.stringify(value) !== body.data) return body.data
  const text = JSON.stringify(value, (_, inner: Json) => {
    const of = known.find(({ name }) => sameJson(name, inner))
    return of === undefined ? inner : `{{${of.as}}}`
  })
  return known.reduce(
    (written, { as, name }) =>
      typeof name === 'string' ? written : written.replaceAll(`"{{${as}}}"`, `{{${as}}}`),
    text,
  )
}
