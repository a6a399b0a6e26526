import type { Demand, Demands, Omission, Step } from './demand.ts'
import type { SchemaDocument, Scope } from './document.ts'
import { kinds } from './facts.ts'
import { failKeyword } from './fail.ts'
import { own, type Schema, type SchemaObject, texts } from './keywords.ts'
import { meetKeyword } from './meet.ts'
import {
  atLeastItems,
  type Choice,
  type Clause,
  demanded,
  impossible,
  itemAt,
  knownName,
  onArray,
  onlyKinds,
  onObject,
  requireName,
} from './moves.ts'

/** What reading a keyword needs to know besides the schema that it stands in. */
export type Reading = {
  readonly document: SchemaDocument
  readonly demands: Demands
  readonly scope: Scope
  /** True where `format` is an assertion. */
  readonly formats: boolean
  readonly omission: Omission | null
  /** The schema as it stands in the document, where its references are at home. */
  readonly origin: SchemaObject
}

/** The demand for a schema that holds for the same value. */
export const samePlace = (reading: Reading, schema: Schema, scope: Scope = reading.scope): Demand =>
  reading.omission === null
    ? reading.demands.meet(schema, scope)
    : reading.demands.omit(schema, scope, reading.omission)

/** The demand for a schema one step down; what is left out there is left out only on the way that was named. */
export const stepDown = (reading: Reading, step: Step, schema: Schema): Demand => {
  const [first, ...steps] = reading.omission?.steps ?? []
  return reading.omission !== null && first !== undefined && JSON.stringify(first) === JSON.stringify(step)
    ? reading.demands.omit(schema, reading.scope, { ...reading.omission, steps })
    : reading.demands.meet(schema, reading.scope)
}

/** All choices that meeting the demand comes to. */
export const meaning = (
  demand: Demand,
  context: Pick<Reading, 'document' | 'demands' | 'formats'>,
): readonly Choice[] => {
  if (demand.kind === 'some') return [demand.of.map(member => [demanded(member)])]
  if (demand.kind === 'below') return below(demand.steps, demand.demand, context.demands)
  const { schema } = demand
  if (typeof schema === 'boolean') return schema === (demand.kind !== 'fail') ? [] : impossible
  const reading: Reading = {
    ...context,
    scope: context.document.enter(schema, demand.scope),
    omission: demand.kind === 'omit' ? demand.omission : null,
    origin: schema,
  }
  if (demand.kind === 'break') return [failKeyword(schema, demand.keyword, demand.detail, reading)]
  if (demand.kind === 'fail')
    return [Object.keys(schema).flatMap(keyword => failKeyword(schema, keyword, null, reading))]
  const kept = withoutOmitted(schema, reading.omission)
  return Object.keys(kept).flatMap(keyword => meetKeyword(kept, keyword, reading))
}

const withoutOmitted = (schema: SchemaObject, omission: Omission | null): SchemaObject => {
  if (omission === null || omission.steps.length > 0) return schema
  const kept: Record<string, unknown> = { ...schema }
  for (const keyword of omission.keywords) {
    const value = own(schema, keyword)
    if (keyword === 'required' && omission.detail !== null)
      kept[keyword] = texts(value).filter(name => name !== omission.detail)
    else delete kept[keyword]
  }
  return kept
}

const below = (steps: readonly Step[], demand: Demand, demands: Demands): readonly Choice[] => {
  const [first, ...rest] = steps
  const deeper = demands.below(rest, demand)
  const clause = (): Clause => {
    if (first === undefined) return [demanded(demand)]
    if (first === 'item')
      return [
        onlyKinds(kinds.array),
        onArray(({ some }) => ({ some: [...some, { from: 0, demand: deeper }] })),
        atLeastItems(1),
      ]
    if (first === 'value' || 'pattern' in first)
      return [
        onlyKinds(kinds.object),
        onObject(({ some }) => ({
          some: [
            ...some,
            {
              others: first === 'value' ? { names: [], patterns: [] } : null,
              pattern: first === 'value' ? null : first.pattern,
              name: null,
              demand: deeper,
            },
          ],
        })),
      ]
    if ('name' in first)
      return [onlyKinds(kinds.object), requireName(first.name), knownName(first.name, deeper)]
    return [onlyKinds(kinds.array), atLeastItems(first.index + 1), itemAt(first.index, deeper)]
  }
  return [[clause()]]
}
