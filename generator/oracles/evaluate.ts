import { isArray, isObject, type Json } from '../../spec/index.ts'
import { type DynamicScope, referenceTargets, type SchemaDocument } from '../read/document.ts'
import { namedSchemas, type Schema, subschema, subschemas } from '../read/keywords.ts'
import { attempt, isUnsupported, throwUnsupported } from '../read/unsupported.ts'
import { assertions } from './assertions.ts'
import { evaluateItems, evaluateProperties } from './evaluate-children.ts'
import {
  addEvaluated,
  type Evaluate,
  type Evaluation,
  type Fail,
  isDecided,
  type KeywordViolation,
  nothingEvaluated,
} from './evaluation.ts'

/** Validates values against the schemas of one document, with exact numbers. */
export type Evaluator = {
  readonly isValid: (schema: Schema, scope: DynamicScope, value: Json) => boolean
  readonly violations: (schema: Schema, scope: DynamicScope, value: Json) => readonly KeywordViolation[]
  /** True if a validator that evaluates everything and never stops early takes at most `mostSteps` steps. */
  readonly isCheap: (schema: Schema, scope: DynamicScope, value: Json, mostSteps: number) => boolean
}

const deepest = 600

/** `formats`: whether `format` is an assertion. */
export const createEvaluator = (document: SchemaDocument, formats: boolean): Evaluator => {
  const evaluate: Evaluate = (schema, value, outer) => {
    if (outer.steps !== null) {
      outer.steps.left -= 1
      if (outer.steps.left < 0) return throwUnsupported('the value takes too many steps to evaluate')
    }
    if (schema === true) return true
    const fail: Fail = (keyword, detail) => {
      outer.violations?.push({ instance: outer.instance, keyword, detail })
      return false
    }
    if (schema === false) return fail('false', '')
    if (outer.depth > deepest) return throwUnsupported('the schema recurses infinitely')
    const scope = document.enter(schema, outer.scope)
    const tracks = document.hasUnevaluated
    const evaluated = tracks ? nothingEvaluated() : null
    const inner: Evaluation = { ...outer, scope, evaluated, depth: outer.depth + 1 }
    let valid = true
    assertions(schema, value, formats, (keyword, detail) => {
      valid = fail(keyword, detail)
    })
    if (isDecided(valid, outer)) return false

    // Applies a schema to the same value. Only if it is valid does what it has evaluated count.
    const inPlace = (member: Schema, at: Evaluation, silently: boolean): boolean => {
      const byMember = tracks ? nothingEvaluated() : null
      const isValid = evaluate(member, value, {
        ...at,
        evaluated: byMember,
        violations: silently ? null : at.violations,
      })
      if (isValid && evaluated !== null && byMember !== null) addEvaluated(evaluated, byMember)
      return isValid
    }
    const must = (isValid: () => boolean): void => {
      if (!isDecided(valid, outer) && !isValid()) valid = false
    }

    for (const target of referenceTargets(document, schema, scope))
      must(() => inPlace(target.schema, { ...inner, scope: target.scope }, false))
    for (const member of subschemas(schema, 'allOf')) must(() => inPlace(member, inner, false))
    if (isDecided(valid, outer)) return false
    if (Object.hasOwn(schema, 'anyOf')) {
      let any = false
      // After the first match the others matter only for what they evaluate.
      for (const member of subschemas(schema, 'anyOf'))
        if (!any || tracks || outer.steps !== null) any = inPlace(member, inner, true) || any
      if (!any) valid = fail('anyOf', '')
    }
    if (Object.hasOwn(schema, 'oneOf')) {
      let count = 0
      for (const member of subschemas(schema, 'oneOf'))
        if ((count < 2 || outer.steps !== null) && inPlace(member, inner, true)) count += 1
      if (count !== 1) valid = fail('oneOf', '')
    }
    if (isDecided(valid, outer)) return false
    const negated = subschema(schema, 'not')
    if (negated !== undefined && evaluate(negated, value, { ...inner, violations: null }))
      valid = fail('not', '')
    const condition = subschema(schema, 'if')
    if (condition !== undefined) {
      const branch = subschema(schema, inPlace(condition, inner, true) ? 'then' : 'else')
      if (branch !== undefined) must(() => inPlace(branch, inner, true) || fail('if', ''))
    }
    if (isObject(value)) {
      for (const [name, member] of namedSchemas(schema, 'dependentSchemas'))
        if (Object.hasOwn(value, name))
          must(() => inPlace(member, inner, true) || fail('dependentSchemas', ''))
      must(() => evaluateProperties(schema, value, inner, evaluate, fail))
    } else if (isArray(value)) must(() => evaluateItems(schema, value, inner, evaluate, fail))
    if (valid && outer.evaluated !== null && evaluated !== null) addEvaluated(outer.evaluated, evaluated)
    return valid
  }

  const start = (
    scope: DynamicScope,
    violations: KeywordViolation[] | null,
    steps: Evaluation['steps'] = null,
  ): Evaluation => ({ scope, steps, instance: '', violations, evaluated: null, depth: 0 })
  return {
    // A value whose evaluation does not terminate is not valid.
    isValid: (schema, scope, value) => attempt(() => evaluate(schema, value, start(scope, null))) === true,
    violations: (schema, scope, value) => {
      const violations: KeywordViolation[] = []
      return isUnsupported(attempt(() => evaluate(schema, value, start(scope, violations)))) ? [] : violations
    },
    isCheap: (schema, scope, value, mostSteps) =>
      !isUnsupported(attempt(() => evaluate(schema, value, start(scope, null, { left: mostSteps })))),
  }
}
