import {
  type DeclaredResponse,
  errorCodes,
  type Json,
  type Operation,
  plainName,
  rejectionStatuses,
  responseFor,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { failWith, reject } from '../engine/reject.ts'
import { askedOf, type Fit } from '../engine/request.ts'
import { sentIn } from '../engine/respond.ts'
import { instanceSeed, keyOf } from '../resources/collections.ts'
import { locationOf, type Part, partHeader } from '../resources/summary.ts'
import { tagOf, withTag } from './conditions.ts'
import type { Kind } from './kinds.ts'
import { enclosed, shownAs } from './shapes.ts'
import { identityIn, type KeptRequest } from './stored-collections.ts'

/** The declared success with one of these statuses, else the one that the mock usually gives; null: none is declared. */
export const successWith = (
  engine: Engine,
  operation: Operation,
  ...statuses: readonly string[]
): DeclaredResponse | null =>
  statuses
    .map(status => operation.responses.find(declared => declared.status === status))
    .find(found => found !== undefined) ?? compiledOperation(engine, operation).success

/** A success that shows a resource. `values`: its names, from the left. */
export const showInstance = async (
  keptRequest: KeptRequest,
  kind: Kind,
  declared: DeclaredResponse | null,
  instance: Json,
  values: readonly Json[],
): Promise<MockResponse | null> => {
  const {
    stateContext: { resourceContext },
    judged,
  } = keptRequest
  const { engine, rulesFor, instances } = resourceContext
  const { operation, request } = judged
  const asked = askedOf(judged)
  if (declared === null) return null
  const rules = rulesFor(operation, declared)
  const name = values.at(-1) ?? ''
  const shown = await shownAs(resourceContext, rules, instance, () =>
    instances.make(rules, {
      seed: instanceSeed(kind.basis, '', name),
      turn: 0,
      fixed: identityIn(rules, name),
      isDynamic: false,
    }),
  )
  const body = shown === undefined ? null : await enclosed(resourceContext, rules, shown)
  const fit: Fit = {
    known: null,
    bodies: async () => (body === null ? [] : [body]),
    header: header =>
      plainName(header) === 'location'
        ? locationOf({ ...rules, resource: kind.resource }, values, asked)
        : plainName(header) === 'etag'
          ? tagOf(instance)
          : null,
  }
  const sent = sentIn(judged, null)
  const named = identityIn(rules, name)
  const response = await buildResponse(engine, operation, {
    declared,
    status: 200,
    // If the resource itself cannot be shown, its name still is.
    known: root => {
      const echoed = sent(root)
      const own = Object.fromEntries(
        Object.entries(named).filter(([property]) => root.properties.includes(property)),
      )
      return Object.keys(own).length === 0 ? echoed : { ...(echoed as object | undefined), ...own }
    },
    request,
    fittedTo: { fit, asked },
  })
  return withTag(response, keptRequest, instance)
}

/** A success with a part of a list. */
export const showPart = (
  { stateContext: { resourceContext }, judged }: KeptRequest,
  part: Part,
  body: Json,
): Promise<MockResponse> | MockResponse => {
  const { operation, request } = judged
  const asked = askedOf(judged)
  const fit: Fit = { known: null, bodies: async () => [body], header: name => partHeader(name, part) }
  return buildResponse(resourceContext.engine, operation, {
    declared: part.rules.declared,
    status: 200,
    known: sentIn(judged, null),
    request,
    fittedTo: { fit, asked },
  })
}

/** The declared failure for a name that nothing has; null: the operation declares none. */
export const notThere = async (
  { stateContext: { resourceContext }, judged: { operation }, plan }: KeptRequest,
  kind: Kind,
  name: Json,
): Promise<MockResponse | null> => {
  const { engine } = resourceContext
  const reason = {
    code: errorCodes.nothingThere,
    messages: [`nothing has the name ${keyOf(name).slice(0, 100)} (${kind.resource.path})`],
  }
  const status = absenceOf(operation)
  if (status !== null) return failWith(engine, operation, status, reason)
  // What is below a resource need not say that the resource is missing, nor what reads it if nothing can be removed.
  const isSilent = plan.role === 'below' || (plan.role === 'read' && kind.resource.remove === null)
  return isSilent || rejectionStatuses(operation, 'parameter').length === 0
    ? null
    : reject(engine, operation, 'parameter', reason)
}

const absenceOf = (operation: Operation): number | null => {
  const has = (status: string): boolean => operation.responses.some(declared => declared.status === status)
  if (has('404') || has('410')) return has('404') ? 404 : 410
  const hasSuccess = operation.responses.some(({ status }) => status.startsWith('2'))
  // `default` is the success if no other is declared.
  return has('4XX') || (has('default') && hasSuccess)
    ? responseFor(operation, 404) === null
      ? null
      : 404
    : null
}
