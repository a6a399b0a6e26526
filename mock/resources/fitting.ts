import { header, type Json, placesOf, propertyIn } from '../../spec/index.ts'
import { compiledOperation, type Engine, type Fitting } from '../engine/engine.ts'
import type { Fit } from '../engine/fit.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { withoutOrigin } from '../engine/request.ts'
import { isOff, rulesOf } from '../rules/infer.ts'
import { plainName, summaryKind } from '../rules/names.ts'
import type { OperationRules, RuleSettings, RulesFor } from '../rules/rule.ts'
import { constraintsOf } from '../values/likely/constraints.ts'
import { createCollections, keyOf } from './collections.ts'
import { filled, parametersIn, pathValuesOf } from './fill.ts'
import { listBody, partOf, saltOf } from './list-bodies.ts'
import { linkTo, type Part } from './summary.ts'
import { thingBodies } from './thing-bodies.ts'
import { createThings } from './things.ts'
import type { Workshop } from './workshop.ts'

/** Makes responses fit their requests by the rules that follow from the contract. */
export const createFitting = (settings: RuleSettings, prefix: string): Fitting => {
  let workshop: Workshop | null = null
  return {
    fitOf: (engine, operation, declared) => {
      workshop ??= createWorkshop(engine, settings, prefix)
      return isOff(settings, operation) ? null : fitFor(workshop, workshop.rulesFor(operation, declared))
    },
    sentencesOf: (engine, operation) => {
      const { success } = compiledOperation(engine, operation)
      if (success === null || isOff(settings, operation)) return []
      return rulesOf(engine.contract, operation, success, settings).sentences
    },
  }
}

export const createWorkshop = (engine: Engine, settings: RuleSettings, prefix: string): Workshop => {
  const known = new Map<string, OperationRules>()
  const rulesFor: RulesFor = (operation, declared) => {
    const key = `${operation.id} ${declared.status}`
    const rules = known.get(key) ?? rulesOf(engine.contract, operation, declared, settings)
    known.set(key, rules)
    return rules
  }
  const things = createThings(engine)
  return { engine, rulesFor, things, collections: createCollections(engine, things, rulesFor), prefix }
}

const fitFor = (workshop: Workshop, rules: OperationRules): Fit | null => {
  const { list, path, location, operation, declared, resource, identity, thing, root } = rules
  if (!/^2|default/.test(declared.status)) return null
  const isThing =
    list === null &&
    resource !== null &&
    identity !== null &&
    path.some(rule => rule.isIdentity) &&
    ['GET', 'PATCH', 'PUT'].includes(operation.method)
  const isInside = thing !== null && root !== null && thing.pattern !== root.pattern
  const hasHeaders = declared.headers.some(({ name }) => /^(location|link)$|total/i.test(name))
  if (list === null && path.length === 0 && location === null && !hasHeaders) return null
  const parts = new WeakMap<JudgedRequest, Part>()
  return {
    known:
      list !== null || path.length === 0 || isInside
        ? null
        : ({ parameters }) => filled(rules, parameters, true),
    bodies:
      list !== null
        ? async ({ judged, preferences, example }) => {
            if (example !== undefined && !asksForPart(rules, judged)) return []
            const isDynamic = preferences?.dynamic === true
            const whole = workshop.collections({
              rules,
              world: preferences?.seed ?? '',
              salt: saltOf(rules, judged),
              outer: pathValuesOf(rules, judged.parameters),
              isDynamic,
            })
            const part = await partOf(workshop, rules, judged, whole)
            parts.set(judged, part)
            return [await listBody(workshop, part, example, isDynamic)]
          }
        : isThing && (operation.method !== 'PUT' || isInside)
          ? request => thingBodies(workshop, rules, request)
          : null,
    header: (name, judged, body) =>
      headerValue(name, rules, judged, body, parts.get(judged) ?? null, workshop.prefix),
  }
}

/** Whether a request of a list sent what changes which items it gets: the document's example is the rest. */
const asksForPart = ({ query, operation }: OperationRules, { parameters }: JudgedRequest): boolean =>
  query.some(({ parameter }) => parameters[parameter] !== undefined) ||
  parametersIn(operation.path).length > 0

const headerValue = (
  name: string,
  rules: OperationRules,
  judged: JudgedRequest,
  body: Json | undefined,
  part: Part | null,
  prefix: string,
): string | null => {
  const plain = plainName(name)
  if (plain === 'location') return locationOf(rules, judged, body, prefix)
  if (part === null) return null
  if (plain === 'link') {
    const links = (['next', 'previous'] as const).flatMap(way => {
      const link = linkTo(way, part)
      return link === null ? [] : [`<${link}>; rel="${way === 'next' ? 'next' : 'prev'}"`]
    })
    const { target } = judged.request
    return links.length > 0 ? links.join(', ') : `<${prefix}${withoutOrigin(target)}>; rel="self"`
  }
  return summaryKind(name) === 'total' ? String(part.total) : null
}

/** Where what was created is; null: the response does not name it. */
const locationOf = (
  { contract, declared, resource, operation }: OperationRules,
  { parameters, request }: JudgedRequest,
  body: Json | undefined,
  prefix: string,
): string | null => {
  if (resource === null) return null
  const outer = parametersIn(operation.path).map(name => parameters[name] ?? '')
  const isItem = operation.path.endsWith('}')
  const name = propertyIn(resource, body) ?? (isItem ? outer.at(-1) : undefined)
  if (name === undefined) return null
  const path = `${prefix}${pathTo(resource.path, [...(isItem ? outer.slice(0, -1) : outer), name])}`
  const schema = declared.headers.find(({ name: header }) => /^location$/i.test(header))?.schema ?? null
  const format =
    schema === null ? undefined : constraintsOf(placesOf(contract.responses.document, schema)).keywords.format
  return format === 'uri' || format === 'url'
    ? `http://${header(request.headers, 'host') ?? 'localhost'}${path}`
    : path
}

/** The path of a thing. */
export const pathTo = (template: string, values: readonly Json[]): string => {
  let index = 0
  return template.replace(/\{[^{}]*\}/g, () => encodeURIComponent(keyOf(values[index++] ?? '')))
}
