import type { Contract } from './contract.ts'
import { isObject, type Json } from './json.ts'
import { type Values, valuesAt } from './kind.ts'
import type { Subject } from './subject.ts'

/** Whether a value of a valid request takes a branch of a keyword. */
export const takesBranch = (
  { schemas }: Contract,
  { where, keyword, branch, schema }: Extract<Subject, { kind: 'branch' }>,
  values: Values,
): boolean => {
  const holds = (value: Json): boolean => schemas.validator(schema)(value).length === 0
  return valuesAt(values, where).some(value =>
    keyword === 'dependentSchemas'
      ? isObject(value) && Object.hasOwn(value, branch)
      : holds(value) !== (branch === 'else'),
  )
}
