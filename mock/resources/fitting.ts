import {
  type DeclaredResponse,
  endsInName,
  type Json,
  type Operation,
  plainName,
  propertyIn,
} from '../../spec/index.ts'
import { compiledOperation, type Engine, type Fitting } from '../engine/engine.ts'
import type { Asked, Fit } from '../engine/request.ts'
import { perObject } from '../memo.ts'
import { isOff, rulesOf } from '../rules/infer.ts'
import type { OperationRules, RuleSettings, RulesFor } from '../rules/list-rule.ts'
import { createCollections, filled, parametersIn, pathValuesOf } from './collections.ts'
import { instanceBodies, type ResourceContext } from './instance-bodies.ts'
import { createInstances } from './instances.ts'
import { listBody, partOf, saltOf } from './select.ts'
import { locationOf, type Part, partHeader } from './summary.ts'

/** Makes responses fit their requests by the rules that follow from the contract. */
export const createFitting = (settings: RuleSettings, prefix: string): Fitting => {
  let resourceContext: ResourceContext | null = null
  return {
    fitOf: (engine, operation, declared) => {
      resourceContext ??= createResourceContext(engine, settings, prefix)
      return isOff(settings, operation)
        ? null
        : fitFor(resourceContext, resourceContext.rulesFor(operation, declared))
    },
    sentencesOf: (engine, operation) => {
      const { success } = compiledOperation(engine, operation)
      if (success === null || isOff(settings, operation)) return []
      return rulesOf(engine.contract, operation, success, settings).sentences
    },
  }
}

export const createResourceContext = (
  engine: Engine,
  settings: RuleSettings,
  prefix: string,
): ResourceContext => {
  const rulesOfOperation = perObject((operation: Operation) =>
    perObject((declared: DeclaredResponse) => rulesOf(engine.contract, operation, declared, settings)),
  )
  const rulesFor: RulesFor = (operation, declared) => rulesOfOperation(operation)(declared)
  const instances = createInstances(engine)
  return { engine, rulesFor, instances, collections: createCollections(engine, instances, rulesFor), prefix }
}

const fitFor = (resourceContext: ResourceContext, rules: OperationRules): Fit | null => {
  const { list, path, location, operation, declared, resource, identity, instance, root } = rules
  if (!/^2|default/.test(declared.status)) return null
  const isInstance =
    list === null &&
    resource !== null &&
    identity !== null &&
    path.some(rule => rule.isIdentity) &&
    ['GET', 'PATCH', 'PUT'].includes(operation.method)
  const isInside = instance !== null && root !== null && instance.pattern !== root.pattern
  const hasHeaders = declared.headers.some(({ name }) => /^(location|link)$|total/i.test(name))
  if (list === null && path.length === 0 && location === null && !hasHeaders) return null
  const parts = new WeakMap<Asked, Part>()
  return {
    known:
      list !== null || path.length === 0 || isInside ? null : parameters => filled(rules, parameters, true),
    bodies:
      list !== null
        ? async ({ asked, preferences, example }) => {
            if (example !== undefined && !asksForPart(rules, asked)) return []
            const isDynamic = preferences?.dynamic === true
            const whole = resourceContext.collections({
              rules,
              world: preferences?.seed ?? '',
              salt: saltOf(rules, asked),
              outer: pathValuesOf(rules, asked.parameters),
              isDynamic,
            })
            const part = await partOf(rules, asked, whole)
            parts.set(asked, part)
            return [await listBody(resourceContext, part, example, isDynamic)]
          }
        : isInstance && (operation.method !== 'PUT' || isInside)
          ? request => instanceBodies(resourceContext, rules, request)
          : null,
    header: (name, asked, body) => {
      const part = parts.get(asked)
      if (plainName(name) !== 'location') return part === undefined ? null : partHeader(name, part)
      const names = namesOfCreated(rules, asked, body)
      return names === null ? null : locationOf(rules, names, asked)
    },
  }
}

/** Whether a request of a list sent what changes which items it gets: the document's example is the rest. */
const asksForPart = ({ query, operation }: OperationRules, { parameters }: Asked): boolean =>
  query.some(({ parameter }) => parameters[parameter] !== undefined) ||
  parametersIn(operation.path).length > 0

/** The names in the path of what was created; null: the response does not name it. */
const namesOfCreated = (
  { resource, operation }: OperationRules,
  { parameters }: Asked,
  body: Json | undefined,
): readonly Json[] | null => {
  const outer = parametersIn(operation.path).map(name => parameters[name] ?? '')
  const isItem = endsInName(operation.path)
  const name =
    (resource === null ? undefined : propertyIn(resource, body)) ?? (isItem ? outer.at(-1) : undefined)
  return name === undefined ? null : [...(isItem ? outer.slice(0, -1) : outer), name]
}
