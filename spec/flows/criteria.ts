import type { Json } from '../json/json.ts'
import { expressionsIn, parseCondition } from './condition.ts'
import { expressionValue, type Known, textOf } from './expression.ts'
import type { Criterion } from './flow.ts'
import { loadJsonPath, loadXPath, placesOfPath, xpathHolds } from './selector.ts'

/** The first of the criteria that does not hold; null if all do. Throws FlowError. */
export const firstUnmet = async (criteria: readonly Criterion[], known: Known): Promise<Criterion | null> => {
  for (const criterion of criteria) if (!(await holds(criterion, known))) return criterion
  return null
}

const holds = async ({ kind, context, condition }: Criterion, known: Known): Promise<boolean> => {
  if (kind === 'simple') return parseCondition(condition)(known)
  const value = expressionValue(context ?? '', known)
  if (value === undefined) return false
  if (kind === 'regex') return new RegExp(condition, 'u').test(textOf(value) ?? JSON.stringify(value))
  if (kind === 'xpath') {
    await loadXPath()
    return xpathHolds(condition, value)
  }
  await loadJsonPath()
  // The specification's own examples have filters such as $[?count(@.pets) > 0] for a body that is an object.
  return [value, [value]].some(of => placesOfPath(condition, of).length > 0)
}

/** A criterion as a user reads it: `$statusCode == 200`. */
export const criterionText = ({ context, condition }: Criterion): string =>
  context === null ? condition : `${context}: ${condition}`

/** What the expressions of a condition stand for: `$statusCode is 404`. Empty if it has none. */
export const valuesText = ({ context, condition }: Criterion, known: Known): string => {
  const expressions = context === null ? expressionsIn(condition) : [context]
  return expressions.map(each => `${each} is ${shown(expressionValue(each, known))}`).join(', ')
}

const shown = (value: Json | undefined): string => {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
