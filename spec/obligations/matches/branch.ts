import type { Contract } from '../../contract/contract.ts'
import { asNode } from '../../json/follow-refs.ts'
import { isArray, isObject, type Json } from '../../json/json.ts'
import { type Pointer, valueAt } from '../../json/pointer.ts'
import type { Subject } from '../subject.ts'
import { type Values, valuesAt } from './values.ts'

/** Whether a value of a valid request takes a branch of a keyword. */
export const takesBranch = (
  { requests: { document, schemas } }: Contract,
  { location, keyword, branch, schema }: Extract<Subject, { kind: 'branch' }>,
  values: Values,
): boolean => {
  if (keyword === 'items') {
    const { least, most } = lengthsOf(document, schema, branch)
    return valuesAt(values, location).some(
      value => isArray(value) && value.length >= least && value.length <= most,
    )
  }
  const isValid = (value: Json): boolean => schemas.validator(schema)(value).length === 0
  return valuesAt(values, location).some(value =>
    keyword === 'dependentSchemas'
      ? isObject(value) && Object.hasOwn(value, branch)
      : isValid(value) !== (branch === 'else'),
  )
}

/** The lengths of lists that a branch of `items` is about; `several` is neither the fewest nor the most. */
export const lengthsOf = (
  document: object,
  schema: Pointer,
  branch: string,
): { readonly least: number; readonly most: number } => {
  const limit = valueAt(document, schema)
  switch (branch) {
    case 'least':
      return { least: 0, most: typeof limit === 'number' ? limit : 0 }
    case 'most':
      return { least: Number(limit), most: Number(limit) }
    default: {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = asNode(limit)
      return { least: Math.max(2, Number(minItems) + 1), most: Number(maxItems) - 1 }
    }
  }
}
