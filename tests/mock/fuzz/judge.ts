import {
  type AnswerJudge,
  type Contract,
  clauseOf,
  createAnswerJudge,
  createRouter,
  header,
  type Operation,
  type Router,
} from '../../../spec/index.ts'
import type { Message } from './message.ts'
import type { Plan } from './plan.ts'
import { type ReadAnswer, readAnswers } from './read-answers.ts'

/** What came back over a connection: what is wrong with it, null where nothing is, and the valid requests that got their success. */
export type Judged = { readonly flaw: string | null; readonly succeeded: number }

export type Judge = (plan: Plan, received: Buffer) => Judged

/** Statuses of what is no request of a declared operation, or none at all. */
const outside = [400, 404, 405, 408, 413, 417, 431]

export const createJudge = (contract: Contract): Judge => {
  const judges = new Map(contract.operations.map(own => [own, createAnswerJudge(contract, own)]))
  const scene: Scene = { contract, router: createRouter(contract), judges }
  return (plan, received) => {
    let succeeded = 0
    const judged = (flaw: string | null): Judged => ({ flaw, succeeded })
    const wild = plan.sent.findIndex(({ kind }) => kind === 'wild')
    const known = wild < 0 ? plan.sent.length : wild
    const headOf = (index: number): boolean | null =>
      index < known ? plan.sent[index]?.message.method === 'HEAD' : null
    const { answers, problem, rest } = readAnswers(received, headOf)
    if (problem !== null) return judged(`broken HTTP: ${problem}`)
    if (plan.end === 'gone') return judged(null)
    if (rest > 0) return judged('an answer that is not whole')
    for (const [index, answer] of answers.entries()) {
      const sent = index < known ? plan.sent[index] : undefined
      const isValid = sent?.kind === 'valid'
      const flaw =
        sent === undefined ? flawOfAny(scene, answer) : flawOf(scene, isValid, sent.message, answer)
      if (flaw !== null) return judged(`answer ${index + 1}: ${flaw}`)
      if (isValid) succeeded += 1
      if (answer.closes) return judged(index + 1 < answers.length ? 'an answer after the last one' : null)
    }
    const isWhole = wild < 0 ? answers.length === known : answers.length >= known
    return judged(isWhole ? null : `${answers.length} answers to ${known} requests`)
  }
}

type Scene = {
  readonly contract: Contract
  readonly router: Router
  readonly judges: ReadonlyMap<Operation, AnswerJudge>
}

const told = ({ status, headers, body }: ReadAnswer): string =>
  `${status} ${header(headers, 'content-type')} ${Buffer.from(body).toString('utf8').slice(0, 200)}`

const flawOf = (
  scene: Scene,
  isValid: boolean,
  { method, target }: Message,
  answer: ReadAnswer,
): string | null => {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/'
  if (isValid) {
    const route = scene.router(method, path)
    if (route.kind !== 'operation') return 'a valid request that has no operation'
    if (!/^2/.test(String(answer.status))) return `a valid request is answered by ${told(answer)}`
    return flawsOf(scene, route.operation, answer)
  }
  if (answer.closes && (isFailure(scene, answer) || (method === 'HEAD' && isBodiless(scene, answer))))
    return null
  if (path.startsWith('/__plantstore')) return null
  if (isPreflight(answer)) return null
  const asGet = method === 'HEAD' && scene.router(method, path).kind !== 'operation'
  const route = scene.router(asGet ? 'GET' : method, path)
  // The answer to a HEAD has no body to judge.
  if (method === 'HEAD')
    return route.kind !== 'operation' || clauseOf(route.operation, answer.status) !== null
      ? null
      : told(answer)
  switch (route.kind) {
    case 'operation':
      return flawsOf(scene, route.operation, answer)
    case 'no-path':
      return answer.status === 404 && isFailure(scene, answer) ? null : `no 404: ${told(answer)}`
    case 'no-method':
      return answer.status === 405 && header(answer.headers, 'allow') !== null && isFailure(scene, answer)
        ? null
        : `no 405: ${told(answer)}`
  }
}

const flawsOf = ({ judges }: Scene, operation: Operation, answer: ReadAnswer): string | null => {
  const [flaw] = judges.get(operation)?.(answer, undefined) ?? []
  return flaw === undefined ? null : `${flaw.id}: wanted ${flaw.wanted}, got ${flaw.got} (${told(answer)})`
}

const flawOfAny = (scene: Scene, answer: ReadAnswer): string | null => {
  const declared = scene.contract.operations.some(operation => flawsOf(scene, operation, answer) === null)
  return declared || isFailure(scene, answer) || isPreflight(answer) || isBodiless(scene, answer)
    ? null
    : `in no shape of the contract: ${told(answer)}`
}

/** It may be the answer to a HEAD. */
const isBodiless = ({ contract }: Scene, { status, body }: ReadAnswer): boolean =>
  body.length === 0 &&
  (outside.includes(status) || contract.operations.some(operation => clauseOf(operation, status) !== null))

/** Whether it has the shape of a failure that some operation declares. */
const isFailure = ({ contract, judges }: Scene, answer: ReadAnswer): boolean =>
  outside.includes(answer.status) &&
  contract.operations.some(operation =>
    operation.responses.some(({ status, media }) => {
      if (!/^(4|default)/.test(status) || media.length === 0) return false
      const own = /^\d+$/.test(status) ? Number(status) : answer.status
      return judges.get(operation)?.({ ...answer, status: own }, undefined).length === 0
    }),
  )

const isPreflight = ({ status, headers }: ReadAnswer): boolean =>
  status === 204 && header(headers, 'access-control-allow-methods') !== null
