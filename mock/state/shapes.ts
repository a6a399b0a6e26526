import {
  bodyLocation,
  isObject,
  type Json,
  type Operation,
  operationContext,
  type SchemaPlace,
  setAt,
  steps,
  violationMessage,
} from '../../spec/index.ts'
import { statusOf } from '../engine/compiled-response.ts'
import { sampleOf } from '../engine/samples.ts'
import type { ResourceContext } from '../resources/instance-bodies.ts'
import { validatorOf } from '../resources/instances.ts'
import { applyPatch, type JsonPatch, mergePatch } from '../resources/patches.ts'
import type { OperationRules } from '../rules/list-rule.ts'
import type { Kind } from './kinds.ts'

type Members = Readonly<Record<string, Json>>

/** A resource with what was sent, as far as it is declared there and leaves it valid. `before`: without what was sent. */
export const withSent = (
  resourceContext: ResourceContext,
  { instance: place }: Kind,
  before: Json,
  sent: Json | undefined,
): Json => {
  if (!isObject(before) || sent === undefined || !isObject(sent)) return before
  const given = Object.fromEntries(Object.entries(sent).filter(([name]) => isKept(place, name)))
  return firstValid(resourceContext, place, before, given, part => ({ ...before, ...part }))
}

/** A resource changed by a JSON merge patch, as far as that leaves it valid. */
export const patched = (
  resourceContext: ResourceContext,
  { instance: place }: Kind,
  before: Json,
  patch: Json | undefined,
): Json => {
  if (patch === undefined || !isObject(patch)) return before
  const given = Object.fromEntries(Object.entries(patch).filter(([name]) => isKept(place, name)))
  return firstValid(resourceContext, place, before, given, part => mergePatch(before, part, place))
}

/** A resource after operations, all of them; a text: why that cannot be, or is not valid. */
export const applied = (
  { engine }: ResourceContext,
  { instance: place }: Kind,
  before: Json,
  patch: JsonPatch,
): { readonly value: Json } | string => {
  const done = applyPatch(before, patch)
  if (typeof done === 'string') return done
  const [wrong] = validatorOf(engine, place)(done.value)
  return wrong === undefined ? done : violationMessage(bodyLocation(''), wrong).replace(/^the body/, 'it')
}

const isKept = ({ properties }: SchemaPlace, name: string): boolean =>
  properties.length === 0 || properties.includes(name)

/** What `apply` makes of all that was given; else of what is valid by itself; else the resource as it was. */
const firstValid = (
  { engine }: ResourceContext,
  place: SchemaPlace,
  before: Json,
  given: Members,
  apply: (part: Members) => Json,
): Json => {
  const validate = validatorOf(engine, place)
  const whole = apply(given)
  const wrong = new Set(validate(whole).map(({ at }) => steps(at)[0]))
  if (wrong.size === 0) return whole
  const rest = apply(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))))
  return validate(rest).length === 0 ? rest : before
}

/** What is left of a resource before something is sent in its place: what only the server sets, and what it has to have. */
export const withoutSendable = (
  { engine }: ResourceContext,
  { instance: place, basis }: Kind,
  operation: Operation,
  instance: Json,
): Json => {
  if (!isObject(instance)) return instance
  const sendable = operationContext(engine.contract, operation).body?.root.properties ?? []
  return Object.fromEntries(
    Object.entries(instance).filter(
      ([name]) => !sendable.includes(name) || place.required.includes(name) || name === basis.identity,
    ),
  )
}

/** A resource as another response shows it, the best first: whole, only with what is declared there, with what it lacks made up. */
export const shownAs = async (
  resourceContext: ResourceContext,
  rules: OperationRules,
  instance: Json,
  made: () => Promise<Json>,
): Promise<Json | undefined> => {
  const { instance: place } = rules
  if (place === null) return undefined
  const validate = validatorOf(resourceContext.engine, place)
  if (validate(instance).length === 0) return instance
  if (!isObject(instance)) return undefined
  const declared = Object.fromEntries(
    Object.entries(instance).filter(([name]) => place.properties.includes(name)),
  )
  if (validate(declared).length === 0) return declared
  const rest = await made()
  const filled = isObject(rest) ? { ...rest, ...declared } : declared
  return validate(filled).length === 0 ? filled : undefined
}

/** A body with a resource in its place. */
export const enclosed = async (
  { engine }: ResourceContext,
  rules: OperationRules,
  instance: Json,
): Promise<Json> => {
  const { operation, declared, root, instance: place } = rules
  if (root === null || place === null || place.pattern === root.pattern) return instance
  const { body } = await sampleOf(engine, operation, declared, statusOf(declared, 200), 'document', 0)
  return setAt(body !== undefined && isObject(body) ? body : {}, place.pattern, instance)
}

/** Whether the body of a PATCH is merged: a list is not. */
export const isMergePatch = (body: Json | undefined): boolean => body === undefined || isObject(body)
