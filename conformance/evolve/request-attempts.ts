import {
  idOf,
  isReadable,
  type Media,
  mediaFor,
  type Operation,
  type Parameter,
  type Pointer,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { plainSpecs, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'
import { type Notes, type Pair, sameParameter } from './counterexample.ts'
import { bodyPlace } from './response-drafts.ts'
import { hasSameSchema, type ValueCounterexample, valueCounterexamples } from './value-counterexamples.ts'

/** A request of `from`, and which value of it is looked at. */
export type Attempt = {
  readonly spec: RequestSpec
  /** As it is written; with one alternative of its credentials. */
  readonly operation: Operation
  readonly slot: Slot | null
  readonly origin: string | null
}

type Slot = { readonly parameter: Parameter | null; readonly schema: Pointer }

/** The requests of `from` that may show a difference: the plainest, such as have another value, and such as the suite sends. */
export function* attemptsOf(pair: Pair, context: StrategyContext, notes: Notes): Iterable<Attempt> {
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
): readonly ValueCounterexample[] => {
  if (parameter.schema === null || other.schema === null) return [{ value: 'a', origin: null }]
  const found = valueCounterexamples(sides, parameter.schema, other.schema)
  const subject = `the ${parameter.in} parameter \`${parameter.name}\``
  undecided.push(...found.undecided.map(({ reason }) => ({ subject, reason })))
  shared.push(...found.shared)
  if (found.shared.length > 0 && parameter.allowEmpty !== true) return found.values
  // The way that it is written may have changed as well.
  const others = Array.from({ length: fewSamples }, (_, index) => values.parameter(parameter.name, index))
  return [
    ...(parameter.allowEmpty === true ? [{ value: '', origin: null }] : []),
    ...found.values,
    ...others.flatMap(value => (value === undefined ? [] : [{ value, origin: null }])),
  ]
}

const fewSamples = 6

function* bodyAttempts(
  { from, to, requests: sides }: Pair,
  attempt: (changes: Partial<RequestSpec>, slot: Slot | null, origin: string | null) => Attempt,
  { undecided, shared }: Notes,
): Iterable<Attempt> {
  if (from.operation.body === null) return
  for (const media of from.operation.body.media) {
    const { schema, type } = media
    const other = sameMedia(to.operation.body?.media ?? [], type)
    if (schema === null || other?.schema == null) continue
    if (sides.isSame(media.pointer, other.pointer)) continue
    if (!isReadable(media) || !isReadable(other)) {
      const { media: all } = from.operation.body
      if (all.some(each => isReadable(each) && hasSameSchema(sides.from, each, media))) continue
      undecided.push({ subject: `its body in ${type}`, reason: 'bodies of this media type are not judged' })
      continue
    }
    const found = valueCounterexamples(sides, schema, other.schema)
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
  for (const { type } of from.operation.body.media)
    if (sameMedia(to.operation.body?.media ?? [], type) === null && !type.includes('*'))
      yield attempt({ contentType: type }, null, null)
}

const sameMedia = (media: readonly Media[], type: string): Media | null =>
  media.find(each => each.type === type) ?? mediaFor(media, type)[0] ?? null

/** Requests that the suite sends to see them accepted. */
function* acceptedSpecs({ from }: Pair, context: StrategyContext): Iterable<RequestSpec> {
  const requirement = from.requirement(idOf(from.operation.id, { kind: 'valid' }))
  const strategy = requirement === null ? null : strategyOf(context, requirement)
  if (strategy === null || 'unsupported' in strategy) return
  for (let index = 0; index < Math.min(strategy.size, mostValid); index++) {
    const spec = strategy.make(index, index + 1)
    if (spec !== null) yield spec
  }
}

const mostValid = 8
