import {
  type Contract,
  createResponseJudge,
  createRouter,
  header,
  type Operation,
  type ResponseJudge,
  type Router,
  responseFor,
} from '../../../spec/index.ts'
import type { Message } from './message.ts'
import type { Plan } from './plan.ts'
import { type ReadResponse, readResponses } from './read-responses.ts'

/** What is wrong with the responses of a connection (null: nothing), and how many valid requests got their success. */
export type Judged = { readonly problem: string | null; readonly succeeded: number }

export type Judge = (plan: Plan, received: Buffer) => Judged

/** Statuses for requests that are for no declared operation, or unreadable. */
const undeclaredStatuses = [400, 404, 405, 408, 413, 417, 431]

export const createJudge = (contract: Contract): Judge => {
  const judges = new Map(
    contract.operations.map(operation => [operation, createResponseJudge(contract, operation)]),
  )
  const context: JudgeContext = { contract, router: createRouter(contract), judges }
  return (plan, received) => {
    let succeeded = 0
    const judged = (problem: string | null): Judged => ({ problem, succeeded })
    const corrupted = plan.sent.findIndex(({ kind }) => kind === 'corrupted')
    const known = corrupted < 0 ? plan.sent.length : corrupted
    const headOf = (index: number): boolean | null =>
      index < known ? plan.sent[index]?.message.method === 'HEAD' : null
    const { responses, problem, rest } = readResponses(received, headOf)
    if (problem !== null) return judged(`broken HTTP: ${problem}`)
    if (plan.end === 'gone') return judged(null)
    if (rest > 0) return judged('an incomplete response')
    for (const [index, response] of responses.entries()) {
      const sent = index < known ? plan.sent[index] : undefined
      const isValid = sent?.kind === 'valid'
      const wrong =
        sent === undefined
          ? problemOfAny(context, response)
          : problemOf(context, isValid, sent.message, response)
      if (wrong !== null) return judged(`response ${index + 1}: ${wrong}`)
      if (isValid) succeeded += 1
      if (response.closes)
        return judged(index + 1 < responses.length ? 'a response after the last one' : null)
    }
    const isComplete = corrupted < 0 ? responses.length === known : responses.length >= known
    return judged(isComplete ? null : `${responses.length} responses to ${known} requests`)
  }
}

type JudgeContext = {
  readonly contract: Contract
  readonly router: Router
  readonly judges: ReadonlyMap<Operation, ResponseJudge>
}

const described = ({ status, headers, body }: ReadResponse): string =>
  `${status} ${header(headers, 'content-type')} ${Buffer.from(body).toString('utf8').slice(0, 200)}`

const problemOf = (
  context: JudgeContext,
  isValid: boolean,
  { method, target }: Message,
  response: ReadResponse,
): string | null => {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/'
  if (isValid) {
    const route = context.router(method, path)
    if (route.kind !== 'operation') return 'a valid request for no operation'
    if (!/^2/.test(String(response.status))) return `a valid request got ${described(response)}`
    return violationOf(context, route.operation, response)
  }
  if (
    response.closes &&
    (isFailure(context, response) || (method === 'HEAD' && isBodiless(context, response)))
  )
    return null
  if (path.startsWith('/__plantstore')) return null
  if (isPreflight(response)) return null
  const asGet = method === 'HEAD' && context.router(method, path).kind !== 'operation'
  const route = context.router(asGet ? 'GET' : method, path)
  // The response to a HEAD has no body to judge.
  if (method === 'HEAD')
    return route.kind !== 'operation' || responseFor(route.operation, response.status) !== null
      ? null
      : described(response)
  switch (route.kind) {
    case 'operation':
      return violationOf(context, route.operation, response)
    case 'no-path':
      return response.status === 404 && isFailure(context, response)
        ? null
        : `not a 404: ${described(response)}`
    case 'no-method':
      return response.status === 405 &&
        header(response.headers, 'allow') !== null &&
        isFailure(context, response)
        ? null
        : `not a 405: ${described(response)}`
  }
}

const violationOf = (
  { judges }: JudgeContext,
  operation: Operation,
  response: ReadResponse,
): string | null => {
  const [violation] = judges.get(operation)?.(response, undefined) ?? []
  return violation === undefined
    ? null
    : `${violation.id}: expected ${violation.expected}, actual ${violation.actual} (${described(response)})`
}

const problemOfAny = (context: JudgeContext, response: ReadResponse): string | null => {
  const declared = context.contract.operations.some(
    operation => violationOf(context, operation, response) === null,
  )
  return declared || isFailure(context, response) || isPreflight(response) || isBodiless(context, response)
    ? null
    : `no shape of the contract: ${described(response)}`
}

/** Whether it can be the response to a HEAD. */
const isBodiless = ({ contract }: JudgeContext, { status, body }: ReadResponse): boolean =>
  body.length === 0 &&
  (undeclaredStatuses.includes(status) ||
    contract.operations.some(operation => responseFor(operation, status) !== null))

/** Whether it has the shape of a failure that some operation declares. */
const isFailure = ({ contract, judges }: JudgeContext, response: ReadResponse): boolean =>
  undeclaredStatuses.includes(response.status) &&
  contract.operations.some(operation =>
    operation.responses.some(({ status, media }) => {
      if (!/^(4|default)/.test(status) || media.length === 0) return false
      const declaredStatus = /^\d+$/.test(status) ? Number(status) : response.status
      return judges.get(operation)?.({ ...response, status: declaredStatus }, undefined).length === 0
    }),
  )

const isPreflight = ({ status, headers }: ReadResponse): boolean =>
  status === 204 && header(headers, 'access-control-allow-methods') !== null
