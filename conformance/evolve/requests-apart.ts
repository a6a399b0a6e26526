import {
  type HttpRequest,
  isReadable,
  type Json,
  type Media,
  mediaType,
  type Operation,
  type Parameter,
  type Pointer,
  type RequestViolation,
  takesMedia,
  type ValueLocation,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { violationsOf } from '../cases/expectation.ts'
import { createRandomValues } from '../cases/random-values.ts'
import { renderRequest } from '../cases/render.ts'
import { impossibility, plainSpecs, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'
import { shrink } from '../confirm/shrink.ts'
import type { Apart, Search, Undecided } from './apart.ts'
import { bodyPlace, valueReason } from './reason.ts'
import { type Pair, sameParameter, securityText } from './side.ts'
import { isSentBy, type ValueApart, valuesApart } from './values-apart.ts'

/** A request of `from`, and which value of it is looked at. */
type Attempt = {
  readonly spec: RequestSpec
  /** As it is written; with one alternative of its credentials. */
  readonly operation: Operation
  readonly slot: Slot | null
  readonly origin: string | null
}

type Slot = { readonly parameter: Parameter | null; readonly schema: Pointer }

type Judged = Attempt & { readonly request: HttpRequest; readonly violations: readonly RequestViolation[] }

/** The requests that `from` allows and `to` rejects, one for each requirement of `to`. */
export const requestsApart = async (pair: Pair): Promise<Search> => {
  const { from, to, requests: sides } = pair
  const undecided: Undecided[] = []
  const shared: string[] = []
  if (isSameRequest(pair)) return { apart: [], undecided, shared }
  const context = contextOf(pair)
  const reason = impossibility(context.model)
  if (reason !== null) return { apart: [], undecided: [{ subject: 'its requests', reason }], shared }
  const best = new Map<string, Judged>()
  const judge = (attempt: Attempt): Judged | null => {
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
  const apart = await Promise.all(
    [...best].map(async ([id, judged]) => apartOf(id, await smallest(id, judged, judge), pair)),
  )
  return { apart: apart.filter(each => each !== null), undecided, shared }
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

type Notes = { readonly undecided: Undecided[]; readonly shared: string[] }

function* attemptsOf(pair: Pair, context: StrategyContext, notes: Notes): Iterable<Attempt> {
  const { from, to, requests: sides } = pair
  const { operation } = from
  const spec = plainSpecs(context)(1)
  const attempt = (
    changes: Partial<RequestSpec>,
    slot: Slot | null = null,
    origin: string | null = null,
  ): Attempt => ({
    spec: { ...spec, ...changes },
    operation,
    slot,
    origin,
  })
  yield attempt({})
  if (operation.body?.required === false)
    yield attempt({ body: undefined, encoding: { kind: 'absent' }, contentType: null })
  for (const alternative of operation.security)
    yield { ...attempt({}), operation: { ...operation, security: [alternative] } }
  for (const parameter of operation.parameters) {
    const other = sameParameter(parameter, from, to)
    if (other === null || sides.isSame(parameter.pointer, other.pointer)) continue
    yield* parameterAttempts(pair, context, parameter, other, notes).map(({ value, origin }) =>
      attempt(
        { parameters: { ...spec.parameters, [parameter.name]: value } },
        parameter.schema === null ? null : { parameter, schema: parameter.schema },
        origin,
      ),
    )
  }
  yield* bodyAttempts(pair, attempt, notes)
  // What is shared has been shown by another operation.
  if (notes.shared.length === 0) for (const changes of acceptedSpecs(pair, context)) yield attempt(changes)
}

const parameterAttempts = (
  { requests: sides }: Pair,
  { values }: StrategyContext,
  parameter: Parameter,
  other: Parameter,
  { undecided, shared }: Notes,
): readonly ValueApart[] => {
  if (parameter.schema === null || other.schema === null) return [{ value: 'a', origin: null }]
  const found = valuesApart(sides, parameter.schema, other.schema)
  const subject = `the ${parameter.in} parameter \`${parameter.name}\``
  undecided.push(...found.undecided.map(({ reason }) => ({ subject, reason })))
  shared.push(...found.shared)
  if (found.shared.length > 0) return found.values
  // The way that it is written may have changed as well.
  const others = Array.from({ length: fewSamples }, (_, index) => values.parameter(parameter.name, index))
  return [...found.values, ...others.flatMap(value => (value === undefined ? [] : [{ value, origin: null }]))]
}

const fewSamples = 6

function* bodyAttempts(
  { from, to, requests: sides }: Pair,
  attempt: (changes: Partial<RequestSpec>, slot: Slot | null, origin: string | null) => Attempt,
  { undecided, shared }: Notes,
): Iterable<Attempt> {
  for (const media of from.operation.body?.media ?? []) {
    const { schema, type } = media
    const other = mediaFor(to.operation.body?.media ?? [], type)
    if (schema === null || other?.schema == null) continue
    if (sides.isSame(media.pointer, other.pointer)) continue
    if (!isReadable(media) || !isReadable(other)) {
      undecided.push({ subject: `its body in ${type}`, reason: 'bodies of this media type are not judged' })
      continue
    }
    const found = valuesApart(sides, schema, other.schema)
    undecided.push(
      ...found.undecided.map(({ place, reason }) => ({ subject: bodyPlace('its body', place), reason })),
    )
    shared.push(...found.shared)
    for (const { value: body, origin } of found.values)
      yield attempt(
        { body, encoding: { kind: 'json' }, contentType: type },
        { parameter: null, schema },
        origin,
      )
  }
  for (const { type } of from.operation.body?.media ?? [])
    if (mediaFor(to.operation.body?.media ?? [], type) === null && !type.includes('*'))
      yield attempt({ contentType: type }, null, null)
}

const mediaFor = (media: readonly Media[], type: string): Media | null =>
  media.find(each => each.type === type) ??
  media.find(each => takesMedia(each.type, mediaType(type) ?? '')) ??
  null

/** Requests that the suite sends to see them accepted. */
function* acceptedSpecs({ from }: Pair, context: StrategyContext): Iterable<RequestSpec> {
  const requirement = from.requirement(`${from.operation.id}/request/valid`)
  const strategy = requirement === null ? null : strategyOf(context, requirement)
  if (strategy === null || 'unsupported' in strategy) return
  for (let index = 0; index < Math.min(strategy.size, mostValid); index++) {
    const spec = strategy.make(index, index + 1)
    if (spec !== null) yield spec
  }
}

const mostValid = 24

/** Of a value of a wrong type, all else that is said of its place follows from that. */
const withoutEchoes = (violations: readonly RequestViolation[]): readonly RequestViolation[] => {
  const mistyped = new Set(violations.filter(({ id }) => /\/type\/[a-z]+$/.test(id)).map(placeKey))
  return violations.filter(each => !mistyped.has(placeKey(each)) || /\/type\/[a-z]+$/.test(each.id))
}

const placeKey = ({ at }: RequestViolation): string => JSON.stringify(at)

const sizeOf = ({ violations, request, spec }: Judged): number =>
  violations.length * 1e6 +
  request.target.length +
  (spec.body === undefined ? 0 : writeJson(spec.body).length)

/** The smallest request for which both judges keep their word. */
const smallest = async (
  id: string,
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
  for (const name of Object.keys(best.spec.parameters)) {
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

const apartOf = (id: string, judged: Judged, { from }: Pair): Apart | null => {
  const violation = judged.violations.find(each => each.id === id)
  if (violation === undefined) return null
  const { spec, request } = judged
  const at = violation.at ?? null
  return {
    part: 'request',
    status: null,
    requirement: id,
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
