import {
  canonical,
  errorCodes,
  isObject,
  type Json,
  type Operation,
  operationContext,
  responseFor,
} from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Engine } from '../engine/engine.ts'
import { failWith, reject } from '../engine/reject.ts'
import { filled, instanceSeed, keyOf, turnOfName } from '../resources/collections.ts'
import { createIdentities, mainSeed } from '../resources/identities.ts'
import { isJsonPatch } from '../resources/patches.ts'
import { notThere, showInstance, successWith } from './answers.ts'
import type { Kind } from './kinds.ts'
import { applied, isMergePatch, patched, withoutSendable, withSent } from './shapes.ts'
import { identityIn, type KeptRequest, openCollection, storedPath } from './stored-collections.ts'

/** POST: makes a resource, with the name that was sent or a new one. */
export const createInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values: outer } = request
  const { resourceContext, store } = stateContext
  const { operation } = judged
  const { instances } = await openCollection(stateContext, client, kind, outer)
  const sentName = nameSent(request, kind)
  if (sentName !== undefined && instances.has(keyOf(sentName)) && responseFor(operation, 409) !== null) {
    const reason = {
      code: errorCodes.identityTaken,
      messages: [`${keyOf(sentName).slice(0, 100)} is already taken`],
    }
    const isDeclared = operation.responses.some(({ status }) => status === '409')
    if (isDeclared) return failWith(resourceContext.engine, operation, 409, reason)
  }
  const path = storedPath(stateContext, kind, outer)
  const name = sentName ?? newName(request, kind, key => instances.has(key))
  if (name === undefined) return null
  const key = keyOf(name)
  // Taken at once, so that no other request gets the same name while this resource is made.
  if (!instances.has(key)) store.put(client, path, { key, name, instance: null, isInitial: false })
  const instance = await newInstance(request, kind, name)
  store.put(client, path, { key, name, instance, isInitial: false })
  return showInstance(request, kind, successWith(resourceContext.engine, operation, '201', '200'), instance, [
    ...outer,
    name,
  ])
}

/** PUT: puts what was sent in the place of a resource, or makes one where clients choose the names. */
export const replaceInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values } = request
  const { resourceContext, store } = stateContext
  const { operation } = judged
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const key = keyOf(name)
  const items = await openCollection(stateContext, client, kind, outer)
  const before = items.instances.get(key)
  if (before === undefined && kind.resource.create !== null) {
    const failure = await notThere(request, kind, name)
    if (failure !== null) return failure
  }
  const fresh = before === undefined ? await newInstance(request, kind, name) : null
  // What another request did in the meantime counts.
  const current = items.instances.get(key)
  const instance =
    current === undefined || fresh !== null
      ? (fresh ?? (await newInstance(request, kind, name)))
      : named(
          kind,
          name,
          withSent(
            resourceContext,
            kind,
            withoutSendable(resourceContext, kind, operation, current.instance),
            judged.body,
          ),
        )
  store.put(client, storedPath(stateContext, kind, outer), {
    key,
    name,
    instance,
    isInitial: current?.isInitial ?? false,
  })
  const statuses = before === undefined ? ['201', '200'] : ['200', '204']
  return showInstance(
    request,
    kind,
    successWith(resourceContext.engine, operation, ...statuses),
    instance,
    values,
  )
}

/** PATCH: merges what was sent into a resource, or does the operations that were sent, all or none. */
export const changeInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values } = request
  const { resourceContext, store } = stateContext
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const { instances } = await openCollection(stateContext, client, kind, outer)
  const stored = instances.get(keyOf(name))
  if (stored === undefined) return notThere(request, kind, name)
  if (!isMergePatch(judged.body) && !isJsonPatch(judged.body)) return null
  const changed = isJsonPatch(judged.body)
    ? applied(resourceContext, kind, stored.instance, judged.body)
    : { value: patched(resourceContext, kind, stored.instance, judged.body) }
  if (typeof changed === 'string') return conflict(resourceContext.engine, judged.operation, changed)
  const instance = named(kind, name, changed.value)
  store.put(client, storedPath(stateContext, kind, outer), { ...stored, key: keyOf(name), instance })
  return showInstance(
    request,
    kind,
    successWith(resourceContext.engine, judged.operation, '200', '204'),
    instance,
    values,
  )
}

/** The declared 409 or 422 for a patch that cannot be applied (RFC 5789, 2.2), else the failure for a wrong body. */
const conflict = async (engine: Engine, operation: Operation, message: string): Promise<MockResponse> => {
  const reason = { code: errorCodes.patchFailed, messages: [message] }
  const status = [409, 422].find(each => operation.responses.some(declared => declared.status === `${each}`))
  return status === undefined
    ? reject(engine, operation, 'body', reason)
    : failWith(engine, operation, status, reason)
}

/** DELETE: removes a resource and what is below it. */
export const removeInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values } = request
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const { instances } = await openCollection(stateContext, client, kind, outer)
  const stored = instances.get(keyOf(name))
  if (stored === undefined) return notThere(request, kind, name)
  stateContext.store.remove(client, storedPath(stateContext, kind, outer), keyOf(name))
  return showInstance(
    request,
    kind,
    successWith(stateContext.resourceContext.engine, judged.operation),
    stored.instance,
    values,
  )
}

/** The name that a client chose in the body; undefined: it chose none. */
const nameSent = (
  { judged: { body }, stateContext }: KeptRequest,
  { basis, resource }: Kind,
): Json | undefined => {
  const { create } = resource
  const { identity } = basis
  if (identity === null || create === null || body === undefined || !isObject(body)) return undefined
  const sendable =
    operationContext(stateContext.resourceContext.engine.contract, create).body?.root.properties ?? []
  const name = sendable.includes(identity) ? body[identity] : undefined
  return name === null || (typeof name === 'object' && !JSON.isRawJSON(name)) ? undefined : name
}

/** The first name of the kind that nothing has. */
const newName = (
  { stateContext, values: outer }: KeptRequest,
  { basis, resource }: Kind,
  isTaken: (key: string) => boolean,
): Json | undefined => {
  if (basis.identity === null && resource.read === null) return firstNumber(isTaken)
  const identities = createIdentities(stateContext.resourceContext.engine, basis)
  const seed = outer.length === 0 ? mainSeed : `${resource.shape} ${outer.map(keyOf).join(' ')}`
  for (let index = 0; index < identities.most && index < mostNames; index++) {
    const name = identities.at(seed, index)
    if (name === undefined) return undefined
    if (!isTaken(keyOf(name))) return name
  }
  return undefined
}

/** Resources without names are kept by numbers. */
const firstNumber = (isTaken: (key: string) => boolean): number => {
  let number = 0
  while (isTaken(String(number))) number++
  return number
}

const mostNames = 1_000_000

/** A resource with what was sent; what only the server sets is made up. */
const newInstance = async (request: KeptRequest, kind: Kind, name: Json): Promise<Json> => {
  const { stateContext, judged } = request
  const { resourceContext } = stateContext
  const fixed = { ...filled(kind.basis, judged.parameters, false), ...identityIn(kind.basis, name) }
  const made = await resourceContext.instances.make(kind.basis, {
    seed: `${instanceSeed(kind.basis, '', name)} ${judged.body === undefined ? '' : canonical(judged.body)}`,
    turn: turnOfName(name),
    fixed,
    isDynamic: false,
  })
  const own = withoutSendable(resourceContext, kind, judged.operation, made)
  return named(
    kind,
    name,
    withSent(resourceContext, kind, isObject(own) ? { ...own, ...fixed } : own, judged.body),
  )
}

/** The resource under its own name, whatever name was sent that clients cannot choose. */
const named = ({ basis }: Kind, name: Json, instance: Json): Json =>
  isObject(instance) ? { ...instance, ...identityIn(basis, name) } : instance
