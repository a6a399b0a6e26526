import {
  type Finding,
  type Ledger,
  type Operation,
  type RecordedRequest,
  safeText,
} from '../../spec/index.ts'
import { titleText } from '../view/finding-text.ts'
import { recordedObligations } from '../view/recorded-obligations.ts'

/** One request and the statuses that may answer it, ready to be written as a test of another tool. */
export type RegressionTest = {
  /** `createPlant: accepted null as \`tag\`` */
  readonly title: string
  /** What it is about, in lines for a comment. */
  readonly about: readonly string[]
  /** Base URL of the run. */
  readonly base: string
  readonly method: string
  readonly target: string
  /** Values may have `{{token}}`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Null if there is none; text, or bytes in base64. */
  readonly body: { readonly encoding: 'utf8' | 'base64'; readonly data: string } | null
  /** Ranges of statuses, with both ends. */
  readonly statuses: readonly (readonly [least: number, most: number])[]
}

/** Headers that clients set themselves, or that belong to the connection. */
const ofClient =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|upgrade|te|trailer)$/i

/** The test of a finding; or why one request with the statuses that may answer it does not show it. */
export const regressionTestOf = (
  { start }: Ledger,
  finding: Finding,
  operation: Operation,
): RegressionTest | { readonly problem: string } => {
  const { request, steps = [], obligation } = finding
  const { names = [], requirement = '' } = recordedObligations(start).get(obligation) ?? {}
  const [family, aspect] = names
  const problem =
    request.raw !== undefined
      ? 'it is about bytes that no HTTP client sends'
      : steps.length > 0
        ? 'it needs things that other requests create'
        : isOfResponse(family, aspect) || ['stability', 'state', 'protocol'].includes(family ?? '')
          ? 'it is about more than the status of one response'
          : isBeyondClients(request)
            ? 'it is about headers that clients set themselves'
            : otherForm.test(request.headers.map(([, value]) => value).join(' '))
              ? 'it sends the token in another form'
              : null
  if (problem !== null) return { problem }
  return {
    title: `${safeText(operation.id)}: ${titleText(finding)}`,
    about: [requirement, `expected ${finding.expected}`, `was ${finding.actual}`].map(line =>
      safeText(line).slice(0, 300),
    ),
    base: start.target,
    method: request.method,
    target: request.target,
    headers: request.headers.filter(([name]) => !ofClient.test(name)),
    body: request.body === null || request.body.bytes === 0 ? null : request.body,
    statuses: statusesOf(finding, operation, aspect === 'declared'),
  }
}

/** `{{token:cut}}`, a secret of a scheme, or a header of the user's own. */
const otherForm = /\{\{(?!token\}\})/

const isOfResponse = (family: string | undefined, aspect: string | undefined): boolean =>
  family === 'response' && aspect !== 'declared'

const isBeyondClients = ({ headers, chunked }: RecordedRequest): boolean =>
  chunked || headers.some(([name]) => /^(?:expect|upgrade|te|trailer|connection)$/i.test(name))

const statusesOf = (
  { expectation }: Finding,
  { responses }: Operation,
  isDeclared: boolean,
): RegressionTest['statuses'] => {
  const allowed = [expectation === 'reject' ? 400 : 100, expectation === 'accept' ? 399 : 499] as const
  const declared = responses.map(({ status }) => rangeOf(status))
  if (!isDeclared) return [expectation === 'accept' ? [200, 299] : allowed]
  return declared
    .map(([least, most]) => [Math.max(least, allowed[0]), Math.min(most, allowed[1])] as const)
    .filter(([least, most]) => least <= most)
}

/** `200`, `4XX`, `default` */
const rangeOf = (status: string): readonly [number, number] => {
  if (/^\d{3}$/.test(status)) return [Number(status), Number(status)]
  const first = Number(status[0])
  return first > 0 ? [first * 100, first * 100 + 99] : [100, 599]
}
