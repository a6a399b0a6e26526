import {
  isObject,
  type Json,
  jsonMedia,
  operationContext,
  type Pointer,
  sameJson,
  setAt,
  steps,
} from '../../spec/index.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import type { FitRequest } from '../engine/request.ts'
import type { OperationRules, RulesFor } from '../rules/list-rule.ts'
import {
  type Collection,
  type Collections,
  filled,
  instanceSeed,
  keyOf,
  parametersIn,
  pathValuesOf,
  turnOfName,
} from './collections.ts'
import { type InstanceRequest, type Instances, instanceIn, validatorOf } from './instances.ts'
import { mergePatch } from './patches.ts'

/** The bodies of what reads or changes one resource, the best first: it is the one that lists have under this name. */
export const instanceBodies = async (
  resourceContext: ResourceContext,
  rules: OperationRules,
  { asked, preferences, example }: FitRequest,
): Promise<readonly Json[]> => {
  const { engine, instances, rulesFor } = resourceContext
  const { resource, identity, instance, root, operation } = rules
  const name = pathValuesOf(rules, asked.parameters).at(-1)
  if (resource === null || instance === null || root === null || identity === null || name == null) return []
  const world = preferences?.seed ?? ''
  const isDynamic = preferences?.dynamic === true
  const collection = collectionOf(resourceContext, rules, asked.parameters, world, isDynamic)
  const index = collection?.indexOf(name) ?? -1
  const shown = isDynamic ? undefined : documentedInstance(resourceContext, rules, name)
  if (shown === undefined && example !== undefined && index < 0) return []
  const fixed = filled(rules, asked.parameters, true)
  const item = collection === null || index < 0 ? undefined : await collection.itemAt(index)
  const made =
    shown ??
    (await instances.make(rules, {
      seed: instanceSeed(rules, world, name),
      turn: index < 0 ? turnOfName(name) : index,
      fixed,
      isDynamic,
    }))
  const list = resource.list === null ? null : compiledOperation(engine, resource.list).success
  const known =
    item !== undefined && isObject(item) && resource.list !== null && list !== null
      ? sharedProperties(item, rules, rulesFor(resource.list, list))
      : {}
  const held = shown === undefined ? heldIn(made, fixed) : fixed
  const stored = isObject(made) ? { ...made, ...known, ...held } : made
  const validate = validatorOf(engine, instance)
  const sent = operation.method === 'GET' ? undefined : withoutEnvelope(asked.body, instance.pattern)
  const after = (body: Json | undefined): Json =>
    body === undefined
      ? stored
      : operation.method === 'PATCH'
        ? changed(stored, body, rules)
        : replaced(stored, body, rules)
  const whole = after(sent)
  // What a request sends under a name, a response may have in another form.
  const wrong = new Set(validate(whole).map(({ at }) => steps(at)[0]))
  const fit = wrong.size === 0 ? [whole] : []
  const rest =
    sent !== undefined && isObject(sent) && wrong.size > 0
      ? [after(Object.fromEntries(Object.entries(sent).filter(([property]) => !wrong.has(property))))]
      : []
  // Without a body there is nothing that could be left out.
  const others =
    sent === undefined && fit.length > 0 ? [] : [...rest, isObject(made) ? { ...made, ...held } : made]
  return [...fit, ...others.filter(value => validate(value).length === 0)].map(value =>
    instance.pattern === root.pattern ? value : setAt(enclosing(example), instance.pattern, value),
  )
}

/** The given properties that the resource was made with. */
const heldIn = (made: Json, fixed: InstanceRequest['fixed']): InstanceRequest['fixed'] =>
  Object.fromEntries(
    Object.entries(fixed).filter(([name, value]) => isObject(made) && sameJson(made[name] ?? null, value)),
  )

/** What a request sends of a resource: without the envelope that the response has as well, such as `data`. */
const withoutEnvelope = (body: Json | undefined, at: Pointer): Json | undefined => {
  const [name, ...deeper] = steps(at)
  if (name === undefined || deeper.length > 0 || body === undefined || !isObject(body)) return body
  const inner = body[name]
  return Object.keys(body).length === 1 && inner !== undefined && isObject(inner) ? inner : body
}

const enclosing = (example: Json | undefined): Json => (isObject(example) ? example : {})

/** What a change leaves of a resource, without what a response does not declare. */
const changed = (stored: Json, sent: Json, { instance }: OperationRules): Json => {
  const whole = mergePatch(stored, sent, instance)
  if (!isObject(whole) || instance === null || instance.properties.length === 0) return whole
  return Object.fromEntries(
    Object.entries(whole).filter(
      ([name]) => instance.properties.includes(name) || (isObject(stored) && Object.hasOwn(stored, name)),
    ),
  )
}

/** What was sent takes the place of all that can be sent. */
const replaced = (stored: Json, sent: Json, { contract, operation, instance }: OperationRules): Json => {
  if (!isObject(stored) || !isObject(sent) || instance === null) return stored
  const sendable = operationContext(contract, operation).body?.root.properties ?? []
  const kept = Object.entries(stored).filter(
    ([name]) => !sendable.includes(name) || instance.required.includes(name),
  )
  const given = Object.entries(sent).filter(([name]) => instance.properties.includes(name))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given) }
}

/** The properties that a list shows of a resource, as far as the response with the whole resource has them. */
const sharedProperties = (
  item: Readonly<Record<string, Json>>,
  { instance }: OperationRules,
  { instance: listed }: OperationRules,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([name]) => instance?.properties.includes(name) && listed?.properties.includes(name),
    ),
  )

/** The document's example of what reads a resource, if it is the one of this name. */
const documentedInstance = (
  { engine, rulesFor }: ResourceContext,
  { resource }: OperationRules,
  name: Json,
): Json | undefined => {
  const read = resource?.read ?? null
  const success = read === null ? null : compiledOperation(engine, read).success
  const media = success === null ? null : jsonMedia(success.media)
  if (read === null || success === null || media === null) return undefined
  const { root, instance, identity } = rulesFor(read, success)
  const example = instanceIn(engine.examples.named(media.pointer, media.type, null), root, instance)
  const own = example !== undefined && isObject(example) && identity !== null ? example[identity] : undefined
  return own !== undefined && keyOf(own) === keyOf(name) ? example : undefined
}

/** The list of the resources among which one is; null: none lists them. */
const collectionOf = (
  { engine, rulesFor, collections }: ResourceContext,
  rules: OperationRules,
  parameters: Readonly<Record<string, Json>>,
  world: string,
  isDynamic: boolean,
): Collection | null => {
  const list = rules.resource?.list ?? null
  const success = list === null ? null : compiledOperation(engine, list).success
  if (list === null || success === null) return null
  const outer = pathValuesOf(rules, parameters).slice(0, parametersIn(list.path).length)
  return collections({ rules: rulesFor(list, success), world, salt: '', outer, isDynamic })
}

/** What the bodies of a document's responses are made with. */
export type ResourceContext = {
  readonly engine: Engine
  readonly rulesFor: RulesFor
  readonly instances: Instances
  readonly collections: Collections
  /** Before the paths of the document. */
  readonly prefix: string
}
