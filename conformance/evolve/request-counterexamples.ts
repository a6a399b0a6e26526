import {
  type HttpRequest,
  type Json,
  type ObligationId,
  type Operation,
  type Pointer,
  type RequestViolation,
  type ValueLocation,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { violationsOf } from '../cases/expectation.ts'
import { createRandomValues } from '../cases/random-values.ts'
import { renderRequest } from '../cases/render.ts'
import { isAllShown } from '../cases/shown-spec.ts'
import { impossibility, type StrategyContext } from '../cases/strategies/index.ts'
import { shrink } from '../confirm/shrink.ts'
import {
  type Counterexample,
  type Pair,
  type Search,
  sameParameter,
  securityText,
  type Undecided,
} from './counterexample.ts'
import { type Attempt, attemptsOf } from './request-attempts.ts'
import { valueReason } from './response-drafts.ts'
import { isSentBy } from './value-counterexamples.ts'

type Judged = Attempt & { readonly request: HttpRequest; readonly violations: readonly RequestViolation[] }

/** The requests that `from` allows and `to` rejects, one for each requirement of `to`. */
export const requestCounterexamples = async (pair: Pair): Promise<Search> => {
  const { from, to, requests: sides } = pair
  const undecided: Undecided[] = []
  const shared: string[] = []
  if (isSameRequest(pair)) return { counterexample: [], undecided, shared }
  const context = contextOf(pair)
  const reason = impossibility(context.model)
  if (reason !== null) return { counterexample: [], undecided: [{ subject: 'its requests', reason }], shared }
  const best = new Map<ObligationId, Judged>()
  const judge = (attempt: Attempt): Judged | null => {
    if (!isAllShown(from.model(), attempt.spec)) return null
    const request = renderRequest(attempt.operation, attempt.spec)
    const { path } = from.operation
    if (violationsOf(from.model(), path, request, token).length > 0) return null
    const { body } = attempt.spec
    const schema = from.model().body?.media.schema
    if (attempt.slot === null && body !== undefined && schema != null && !isSentBy(sides.from, schema, body))
      return null
    return { ...attempt, request, violations: violationsOf(to.model(), to.operation.path, request, token) }
  }
  for (const attempt of attemptsOf(pair, context, { undecided, shared })) {
    const judged = judge(attempt)
    for (const { id } of judged === null ? [] : withoutEchoes(judged.violations)) {
      const known = best.get(id)
      if (judged !== null && (known === undefined || sizeOf(judged) < sizeOf(known)))
        best.set(id, { ...judged, origin: known?.origin ?? judged.origin })
    }
  }
  const counterexample = await Promise.all(
    [...best].map(async ([id, judged]) => counterexampleOf(id, await smallest(id, judged, judge), pair)),
  )
  return { counterexample: counterexample.filter(each => each !== null), undecided, shared }
}

const token = 'token'

const contextOf = ({ from, requests: { seed } }: Pair): StrategyContext => {
  const model = from.model()
  const values = createRandomValues(model, seed)
  return { model, identities: null, seed, values, isTokenKnown: true, isForwarded: false }
}

/** Whether nothing about the requests of an operation has changed. */
const isSameRequest = ({ from, to, requests: { isSame } }: Pair): boolean =>
  securityText(from.operation) === securityText(to.operation) &&
  from.operation.parameters.length === to.operation.parameters.length &&
  from.operation.parameters.every(parameter => {
    const other = sameParameter(parameter, from, to)
    return other !== null && isSame(parameter.pointer, other.pointer)
  }) &&
  (from.operation.body === null || to.operation.body === null
    ? from.operation.body === to.operation.body
    : isSame(from.operation.body.pointer, to.operation.body.pointer))

/** Of a value of a wrong type, all else that is said of its place follows from that. */
const withoutEchoes = (violations: readonly RequestViolation[]): readonly RequestViolation[] => {
  const mistyped = new Set(violations.filter(isOfType).map(placeKey))
  return violations.filter(each => !mistyped.has(placeKey(each)) || isOfType(each))
}

const isOfType = ({ subject }: RequestViolation): boolean =>
  subject.kind === 'keyword' && subject.keyword === 'type'

const placeKey = ({ at }: RequestViolation): string => JSON.stringify(at)

const sizeOf = ({ violations, request, spec }: Judged): number =>
  violations.length * 1e6 +
  request.target.length +
  (spec.body === undefined ? 0 : writeJson(spec.body).length)

/** The smallest request for which both judges keep their word. */
const smallest = async (
  id: ObligationId,
  judged: Judged,
  judge: (attempt: Attempt) => Judged | null,
): Promise<Judged> => {
  const keeps = (attempt: Attempt): Judged | null => {
    const next = judge(attempt)
    return next?.violations.some(each => each.id === id) === true &&
      next.violations.length <= judged.violations.length
      ? next
      : null
  }
  let best = judged
  const optional = judged.operation.parameters.filter(({ required }) => !required)
  for (const { name } of optional) {
    const { [name]: _, ...parameters } = best.spec.parameters
    best = keeps({ ...best, spec: { ...best.spec, parameters } }) ?? best
  }
  const parameter = best.slot?.parameter
  const value = parameter == null ? best.spec.body : best.spec.parameters[parameter.name]
  const specWith = (to: Json): RequestSpec =>
    parameter == null
      ? { ...best.spec, body: to }
      : { ...best.spec, parameters: { ...best.spec.parameters, [parameter.name]: to } }
  const shrunk = await shrink<{ body: Json | undefined; judged: Judged }>(
    { body: value, judged: best },
    async candidate => {
      const next = keeps({ ...best, spec: specWith(candidate), slot: parameter == null ? null : best.slot })
      return next === null ? null : { body: candidate, judged: next }
    },
    mostTries,
  )
  return shrunk.judged
}

const mostTries = 200

const counterexampleOf = (id: ObligationId, judged: Judged, { from }: Pair): Counterexample | null => {
  const violation = judged.violations.find(each => each.id === id)
  if (violation === undefined) return null
  const { spec, request } = judged
  const at = violation.at ?? null
  return {
    part: 'request',
    status: null,
    requirement: id,
    subject: violation.subject,
    at,
    reason: at === null ? violation.message : valueReason(at, violation.message),
    witness:
      at?.in === 'body' && spec.body !== undefined
        ? writeJson(spec.body)
        : `${request.method} ${request.target}`,
    schema: schemaAt(from.operation, at, spec),
    origin: judged.origin,
    violated: [violation, ...judged.violations.filter(each => each !== violation)].map(each =>
      each.at === null ? each.message : valueReason(each.at, each.message),
    ),
  }
}

const schemaAt = (operation: Operation, at: ValueLocation | null, spec: RequestSpec): Pointer | null => {
  if (at === null) return null
  if (at.in === 'body' || at.in === 'form')
    return operation.body?.media.find(({ type }) => type === spec.contentType)?.schema ?? null
  return operation.parameters.find(each => each.in === at.in && each.name === at.name)?.schema ?? null
}
