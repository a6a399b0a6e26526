import {
  type Contract,
  errorCodes,
  type Headers,
  header,
  isObject,
  type Operation,
  operationContext,
  pathOf,
  questionId,
  type RequestViolation,
  readJson,
  rejectionQuestions,
  responseFor,
  writeJson,
} from '../../spec/index.ts'
import { bytesOf, type MockResponse, noBody, withHeader } from '../engine/compiled-response.ts'
import type { Context, Middleware } from '../engine/context.ts'
import type { Reason } from '../engine/error-body.ts'
import { judge, routeOf } from '../engine/judge.ts'
import { failWith, reasonFor } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { type Question, selectors } from '../mutants/unspecified.ts'
import {
  beginningsOf,
  type LearnedAnswer,
  type LearnedBehavior,
  type LearnedFailure,
  type LearnedRejection,
} from './learn.ts'

type Selected = readonly [isMeant: (judged: JudgedRequest) => boolean, answer: LearnedRejection]

/** Answers as a server was seen to where the contract leaves it open; everything else goes on to the mock. */
export const answerAsLearned = ({ rejections, questions, echoing, target }: LearnedBehavior): Middleware => {
  const byOperation = new WeakMap<Operation, readonly Selected[]>()
  const questionsOf = (context: Context, operation: Operation): readonly Selected[] => {
    const contract = context.document?.contract
    const known = byOperation.get(operation)
    if (known !== undefined || contract === undefined) return known ?? []
    const selected = (Object.keys(selectors) as Question[]).flatMap((question): readonly Selected[] => {
      const answer = questions.get(questionId(operation.id, question))
      return answer === undefined ? [] : [[selectors[question]({ contract, operation }), answer]]
    })
    byOperation.set(operation, selected)
    return selected
  }
  /** The first that is known of any operation. */
  const elsewhere = (
    { operations }: Contract,
    name: 'other-path' | 'other-method',
  ): LearnedRejection | undefined =>
    operations.map(({ id }) => questions.get(questionId(id, name))).find(answer => answer !== undefined)

  const answerTo = (context: Context, judged: JudgedRequest): LearnedRejection | undefined => {
    const { operation, violations, request } = judged
    const [first] = violations
    if (first !== undefined) return request.tooLarge ? undefined : rejectionOf(operation, first)
    // Each is asked, as one that knows identities has to see them all.
    return questionsOf(context, operation).filter(([isMeant]) => isMeant(judged))[0]?.[1]
  }
  const rejectionOf = (
    operation: Operation,
    { subject, part }: RequestViolation,
  ): LearnedRejection | undefined =>
    beginningsOf(operation.id, pathOf(subject))
      .map(key => rejections.get(key))
      .find(answer => answer !== undefined) ??
    questions.get(questionId(operation.id, rejectionQuestions[part]))

  return async (context, next) => {
    if (context.document === null || context.request.unreadable !== undefined) return next(context)
    const judged = judge(context.document.engine, context)
    if (judged !== null) {
      const answer = answerTo(context, judged)
      if (answer === undefined) {
        const response = await next(context)
        const isEchoing =
          judged.violations.length === 0 &&
          echoing.has(questionId(judged.operation.id, 'undeclared-property'))
        return isEchoing ? withEcho(context.document.contract, judged, response) : response
      }
      context.scenario = `as ${target}`
      return 'body' in answer
        ? responseOf(answer, namesFor(judged.operation, answer.status))
        : failWith(context.document.engine, judged.operation, answer.status, reasonOf(judged, answer, target))
    }
    const isMethod = routeOf(context.document.engine, context).kind === 'no-method'
    const answer = elsewhere(context.document.contract, isMethod ? 'other-method' : 'other-path')
    if (answer === undefined) return next(context)
    context.scenario = `as ${target}`
    if (!('body' in answer)) return { ...(await next(context)), status: answer.status }
    const response = responseOf(answer, known)
    // The methods of this path, and not those of the one that was asked for.
    const allow =
      header(answer.headers, 'allow') === null ? null : header((await next(context)).headers, 'allow')
    return isMethod ? withHeader(response, 'Allow', allow) : response
  }
}

/** Why a request is rejected of which the server's own words are not known. */
const reasonOf = ({ violations }: JudgedRequest, { code }: LearnedFailure, target: string): Reason => {
  const reason =
    violations.length === 0
      ? { code: errorCodes.otherRule, messages: [`rejected as in ${target}`] }
      : reasonFor(violations)
  return code === null ? reason : { ...reason, code }
}

/** Headers that say something about a rejection, whether the contract names them or not. */
const known = ['content-type', 'allow', 'retry-after', 'www-authenticate']

const namesFor = (operation: Operation, status: number): readonly string[] => [
  ...known,
  ...(responseFor(operation, status)?.headers ?? []).map(({ name }) => name.toLowerCase()),
]

const responseOf = ({ status, headers, body }: LearnedAnswer, names: readonly string[]): MockResponse => {
  const kept: Headers = headers.filter(([name]) => names.includes(name.toLowerCase()))
  return { status, headers: kept, body }
}

/** A success with the properties that the request sent without being declared, as a server that keeps whatever it gets. */
const withEcho = (
  contract: Contract,
  { operation, body }: JudgedRequest,
  response: MockResponse,
): MockResponse => {
  const declared = operationContext(contract, operation).body?.root.properties ?? []
  const sent = isObject(body) ? Object.entries(body).filter(([name]) => !declared.includes(name)) : []
  if (sent.length === 0 || response.status >= 300 || response.stream !== undefined) return response
  const reading = response.body === noBody ? null : readJson(response.body)
  if (reading?.ok !== true || !isObject(reading.value)) return response
  return { ...response, body: bytesOf(writeJson({ ...Object.fromEntries(sent), ...reading.value })) }
}
