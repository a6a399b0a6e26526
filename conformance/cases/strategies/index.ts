/** How obligations are tested: one strategy for each kind of subject. */
import {
  askedType,
  clientsOf,
  isOfBody,
  type Obligation,
  type Operation,
  writtenAs,
} from '../../../spec/index.ts'
import { beyondPlan, type RequestSpec } from '../case.ts'
import { hasFiles, withFiles } from '../files.ts'
import { comesFromClients } from '../from-clients.ts'
import type { OperationModel } from '../operation-model.ts'
import { shownSpec } from '../shown-spec.ts'
import { labelOf, withOptional } from '../with-optional.ts'
import { branchStrategy } from './branch.ts'
import { credentialsStrategy } from './credentials.ts'
import { without } from './edit-spec.ts'
import { keywordStrategy } from './keyword.ts'
import { malformedStrategy, noBodyStrategy } from './malformed-body.ts'
import { mediaStrategy, partStrategy } from './media.ts'
import { filledForm, impossibility, plainSpecs } from './plain-spec.ts'
import { protocolStrategy } from './protocol.ts'
import { displacedStrategy, severalStrategy } from './several-violations.ts'
import { stabilityStrategy } from './stability.ts'
import { stateStrategy } from './state.ts'
import { finiteStrategy, type Strategy, type StrategyContext, type Unsupported } from './strategy.ts'
import { unspecifiedStrategy } from './unspecified.ts'
import { combinedStrategy, layoutStrategy, queryEscapesStrategy, validStrategy } from './valid.ts'
import { valueStrategy } from './value.ts'

export { withAllOptional, withoutBody } from '../with-optional.ts'
export { impossibility, plainSpecs, shortWait } from './plain-spec.ts'
export { stabilityCases } from './stability.ts'
export { withRichBody } from './state.ts'
export type { Strategy, StrategyContext, Unsupported } from './strategy.ts'
export { unspecifiedStrategy } from './unspecified.ts'

/** The strategy of an obligation; null if it has no cases of its own, because every response is judged by it. */
export const strategyOf = (
  context: StrategyContext,
  obligation: Obligation,
): Strategy | Unsupported | null => {
  const { model } = context
  const found = strategyFor(context, obligation)
  if (found === null || 'unsupported' in found) return found
  // What is tested is not the file.
  const isFilled = hasFiles(model) && !isAboutFile(model, obligation)
  const make: Strategy['make'] = (index, number) => {
    const made = found.make(index, number)
    if (made === null) return null
    const spec = fromSomeClient(model, obligation, shownSpec(model, obligation, made), index, number)
    return isFilled && spec.body !== undefined ? { ...spec, body: withFiles(model, spec.body) } : spec
  }
  return { ...found, make }
}

/** The first request for a requirement is plain, so that a finding is; the others of the plan come from other clients by turns. */
const fromSomeClient = (
  { operation }: OperationModel,
  obligation: Obligation,
  spec: RequestSpec,
  index: number,
  number: number,
): RequestSpec => {
  if (index === 0 || number >= beyondPlan || !comesFromClients(obligation, spec)) return spec
  const groups = clientsIn.get(operation) ?? clientsOf(operation)
  clientsIn.set(operation, groups)
  const fields = groups.flatMap((group, at) => group[turnOf(number, at) % turnsOf(group)] ?? [])
  const byName = new Map(fields.map(field => [field.name.toLowerCase(), field]))
  return { ...spec, extra: [...byName.values()] }
}

/** Half of the requests have a field of most groups, and few have very many fields. */
const turnsOf = (group: readonly (readonly unknown[])[]): number =>
  Math.max(group.length * 2, 8, ...group.map(({ length }) => length))

/** Spreads the numbers of cases, so that everything meets everything. */
const turnOf = (number: number, at: number): number =>
  Math.imul(number + 1, 0x9e3779b1 + at * 0x3c6ef372) >>> 8

const clientsIn = new WeakMap<Operation, ReturnType<typeof clientsOf>>()

const isAboutFile = ({ body }: OperationModel, { subject }: Obligation): boolean => {
  if (body === null || !('location' in subject) || !isOfBody(subject.location)) return false
  return writtenAs(body.format, subject.location.place) === 'binary'
}

const strategyFor = (
  context: StrategyContext,
  { id, subject, family }: Obligation,
): Strategy | Unsupported | null => {
  const { model } = context
  const reason = impossibility(model)
  if (reason !== null && family !== 'response') return { unsupported: reason }
  const least = plainSpecs(context)
  // An empty form has no bytes, and so neither a type nor a framing: it looks like no body at all.
  const withBytes = (number: number): RequestSpec => filledForm(context, least(number), number)
  const plain = model.operation.body?.required === true ? withBytes : least
  switch (subject.kind) {
    case 'valid':
      return validStrategy(context, plain)
    case 'combined':
      return combinedStrategy(context, plain)
    case 'presence':
      // All texts of the second case are equal: some servers mix up properties with equal values.
      return finiteStrategy(2, (index, number) =>
        withOptional(
          model,
          least(number),
          subject.present,
          labelOf(number, index === 0 ? 'optional' : 'required'),
        ),
      )
    case 'value':
      return valueStrategy(context, subject, plain)
    case 'layout':
      return layoutStrategy(context, subject, plain)
    case 'framing':
      return finiteStrategy(4, (_index, number) => ({ ...withBytes(number), chunked: true }))
    case 'query-escapes':
      return queryEscapesStrategy(context, plain)
    case 'size':
      return finiteStrategy(1, (_index, number) => ({
        ...plain(number),
        encoding: { kind: 'padded', bytes: subject.bytes },
      }))
    case 'extra':
      return finiteStrategy(Math.max(2, subject.variants.length), (index, number) => ({
        // The same URL for each media type: a cache may know no more of a request.
        ...plain(subject.name === askedType ? number - index : number),
        extra: subject.variants[index % subject.variants.length] ?? [],
      }))
    case 'media':
      return mediaStrategy(context, subject, withBytes)
    case 'keyword':
      return keywordStrategy(context, id, subject, plain)
    case 'branch':
      return branchStrategy(context, subject, plain)
    case 'part':
      return partStrategy(context, subject, plain)
    case 'malformed':
      return malformedStrategy(context, subject.name, plain)
    case 'displaced':
      return displacedStrategy(context, plain)
    case 'several-violations':
      return severalStrategy(context, plain)
    case 'no-body':
      return noBodyStrategy(subject.name, plain)
    case 'missing-parameter':
      return finiteStrategy(2, (_index, number) => {
        const spec = plain(number)
        return { ...spec, parameters: without(spec.parameters, subject.location.name) }
      })
    case 'credentials':
      return credentialsStrategy(context, subject, plain)
    case 'stability':
      return stabilityStrategy(model, subject, plain)
    case 'state':
      return stateStrategy(context, subject, plain)
    case 'unspecified':
      return unspecifiedStrategy(context, subject.name, plain)
    case 'protocol':
      return context.isForwarded && family === 'accept'
        ? { unsupported: 'a proxy forwards the requests, and frames them in its own way' }
        : protocolStrategy(context, subject.name, plain)
    case 'response':
    case 'response-time':
    // Workflows are played, and callbacks asked for, before the plan.
    case 'flow':
    case 'callback':
      return null
  }
}
