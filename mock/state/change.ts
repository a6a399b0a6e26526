import {
  canonical,
  errorCodes,
  isObject,
  type Json,
  type Operation,
  operationContext,
  responseFor,
} from '../../spec/index.ts'
import type { Engine } from '../engine/engine.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { failWith, reject } from '../engine/reject.ts'
import { keyOf, thingSeed, turnOfName } from '../resources/collections.ts'
import { filled } from '../resources/fill.ts'
import { createIdentities, mainSeed } from '../resources/identities.ts'
import { isJsonPatch } from '../resources/json-patch.ts'
import { notThere, showThing, successWith } from './answers.ts'
import type { KeptRequest } from './keeping.ts'
import type { Kind } from './kinds.ts'
import { applied, isMergePatch, patched, withoutSendable, withSent } from './shapes.ts'
import { identityIn, openShelf, shelfPath } from './shelves.ts'

/** POST: makes a thing, with the name that was sent or a new one. */
export const createThing = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values: outer } = request
  const { workshop, store } = keeping
  const { operation } = judged
  const { things } = await openShelf(keeping, client, kind, outer)
  const sentName = nameSent(request, kind)
  if (sentName !== undefined && things.has(keyOf(sentName)) && responseFor(operation, 409) !== null) {
    const reason = {
      code: errorCodes.identityTaken,
      messages: [`${keyOf(sentName).slice(0, 100)} is already taken`],
    }
    const isDeclared = operation.responses.some(({ status }) => status === '409')
    if (isDeclared) return failWith(workshop.engine, operation, 409, reason)
  }
  const path = shelfPath(keeping, kind, outer)
  const name = sentName ?? newName(request, kind, key => things.has(key))
  if (name === undefined) return null
  const key = keyOf(name)
  // Taken at once, so that no other request gets the same name while this thing is made.
  if (!things.has(key)) store.put(client, path, { key, name, thing: null, isInitial: false })
  const thing = await newThing(request, kind, name)
  store.put(client, path, { key, name, thing, isInitial: false })
  return showThing(request, kind, successWith(workshop.engine, operation, '201', '200'), thing, [
    ...outer,
    name,
  ])
}

/** PUT: puts what was sent in the place of a thing, or makes one where clients choose the names. */
export const replaceThing = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values } = request
  const { workshop, store } = keeping
  const { operation } = judged
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const key = keyOf(name)
  const shelf = await openShelf(keeping, client, kind, outer)
  const before = shelf.things.get(key)
  if (before === undefined && kind.resource.create !== null) {
    const failure = await notThere(request, kind, name)
    if (failure !== null) return failure
  }
  const fresh = before === undefined ? await newThing(request, kind, name) : null
  // What another request did in the meantime counts.
  const current = shelf.things.get(key)
  const thing =
    current === undefined || fresh !== null
      ? (fresh ?? (await newThing(request, kind, name)))
      : named(
          kind,
          name,
          withSent(workshop, kind, withoutSendable(workshop, kind, operation, current.thing), judged.body),
        )
  store.put(client, shelfPath(keeping, kind, outer), {
    key,
    name,
    thing,
    isInitial: current?.isInitial ?? false,
  })
  const statuses = before === undefined ? ['201', '200'] : ['200', '204']
  return showThing(request, kind, successWith(workshop.engine, operation, ...statuses), thing, values)
}

/** PATCH: merges what was sent into a thing, or does the operations that were sent, all or none. */
export const changeThing = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values } = request
  const { workshop, store } = keeping
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const { things } = await openShelf(keeping, client, kind, outer)
  const stored = things.get(keyOf(name))
  if (stored === undefined) return notThere(request, kind, name)
  if (!isMergePatch(judged.body) && !isJsonPatch(judged.body)) return null
  const changed = isJsonPatch(judged.body)
    ? applied(workshop, kind, stored.thing, judged.body)
    : { value: patched(workshop, kind, stored.thing, judged.body) }
  if (typeof changed === 'string') return conflict(workshop.engine, judged.operation, changed)
  const thing = named(kind, name, changed.value)
  store.put(client, shelfPath(keeping, kind, outer), { ...stored, key: keyOf(name), thing })
  return showThing(request, kind, successWith(workshop.engine, judged.operation, '200', '204'), thing, values)
}

/** The declared 409 or 422 for a patch that cannot be applied (RFC 5789, 2.2), else the failure for a wrong body. */
const conflict = async (engine: Engine, operation: Operation, message: string): Promise<MockResponse> => {
  const reason = { code: errorCodes.patchFailed, messages: [message] }
  const status = [409, 422].find(each => operation.responses.some(declared => declared.status === `${each}`))
  return status === undefined
    ? reject(engine, operation, 'body', reason)
    : failWith(engine, operation, status, reason)
}

/** DELETE: removes a thing and what is below it. */
export const removeThing = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values } = request
  const outer = values.slice(0, -1)
  const name = values.at(-1) ?? ''
  const { things } = await openShelf(keeping, client, kind, outer)
  const stored = things.get(keyOf(name))
  if (stored === undefined) return notThere(request, kind, name)
  keeping.store.remove(client, shelfPath(keeping, kind, outer), keyOf(name))
  return showThing(
    request,
    kind,
    successWith(keeping.workshop.engine, judged.operation),
    stored.thing,
    values,
  )
}

/** The name that a client chose in the body; undefined: it chose none. */
const nameSent = (
  { judged: { body }, keeping }: KeptRequest,
  { basis, resource }: Kind,
): Json | undefined => {
  const { create } = resource
  const { identity } = basis
  if (identity === null || create === null || body === undefined || !isObject(body)) return undefined
  const sendable = operationContext(keeping.workshop.engine.contract, create).body?.root.properties ?? []
  const name = sendable.includes(identity) ? body[identity] : undefined
  return name === null || name === '' || (typeof name === 'object' && !JSON.isRawJSON(name))
    ? undefined
    : name
}

/** The first name of the kind that nothing has. */
const newName = (
  { keeping, values: outer }: KeptRequest,
  { basis, resource }: Kind,
  isTaken: (key: string) => boolean,
): Json | undefined => {
  if (basis.identity === null && resource.read === null) return firstNumber(isTaken)
  const identities = createIdentities(keeping.workshop.engine, basis)
  const seed = outer.length === 0 ? mainSeed : `${resource.shape} ${outer.map(keyOf).join(' ')}`
  for (let index = 0; index < identities.most && index < mostNames; index++) {
    const name = identities.at(seed, index)
    if (name === undefined) return undefined
    if (!isTaken(keyOf(name))) return name
  }
  return undefined
}

/** Things without names are kept by numbers. */
const firstNumber = (isTaken: (key: string) => boolean): number => {
  let number = 0
  while (isTaken(String(number))) number++
  return number
}

const mostNames = 1_000_000

/** A thing with what was sent; what only the server sets is made up. */
const newThing = async (request: KeptRequest, kind: Kind, name: Json): Promise<Json> => {
  const { keeping, judged } = request
  const { workshop } = keeping
  const fixed = { ...filled(kind.basis, judged.parameters, false), ...identityIn(kind.basis, name) }
  const made = await workshop.things.make(kind.basis, {
    seed: `${thingSeed(kind.basis, '', name)} ${judged.body === undefined ? '' : canonical(judged.body)}`,
    turn: turnOfName(name),
    fixed,
    isDynamic: false,
  })
  const own = withoutSendable(workshop, kind, judged.operation, made)
  return named(kind, name, withSent(workshop, kind, isObject(own) ? { ...own, ...fixed } : own, judged.body))
}

/** The thing under its own name, whatever name was sent that clients cannot choose. */
const named = ({ basis }: Kind, name: Json, thing: Json): Json =>
  isObject(thing) ? { ...thing, ...identityIn(basis, name) } : thing
