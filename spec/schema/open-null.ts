import type { Ajv2020, ErrorObject, FuncKeywordDefinition } from 'ajv/dist/2020.js'

/** Marks a schema of which it is not clear whether null is valid: nobody is held to either. */
export const openNull = 'x-open-null'

/** Where the value that is judged has such a null. */
const found = new Set<string>()

/** Without errors, as other keywords judge null all the same: `withoutOpenNulls` takes out what they say. */
export const addOpenNull = (ajv: Ajv2020): void => {
  const definition: FuncKeywordDefinition = {
    keyword: openNull,
    errors: false,
    validate: (
      _open: unknown,
      value: unknown,
      _schema: unknown,
      context?: { readonly instancePath: string },
    ) => {
      if (value === null && context !== undefined) found.add(context.instancePath)
      return true
    },
  }
  ajv.addKeyword(definition)
}

/** The errors of the value that was judged last, without those that are about such a null. */
export const withoutOpenNulls = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  if (found.size === 0) return errors
  const places = new Set(found)
  found.clear()
  return errors.filter(({ instancePath }) => !places.has(instancePath))
}
