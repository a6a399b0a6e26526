import type { Ajv2020, FuncKeywordDefinition, ValidateFunction } from 'ajv/dist/2020.js'
import { documentUri } from './document-references.ts'

/** Calls `then` if `first` overflows the stack. */
export const deepEnough = <T>(first: () => T, then: () => T): T => {
  try {
    return first()
  } catch (error) {
    if (error instanceof RangeError) return then()
    throw error
  }
}

export const referred = (ajv: Ajv2020, reference: string): ValidateFunction => {
  const found = ajv.getSchema(reference)
  if (found === undefined) throw new Error(`${reference} cannot be resolved`)
  return found as ValidateFunction
}

type LazyValidate = ReturnType<FuncKeywordDefinition['compile'] & {}>

/**
 * Compiles what a `$ref` refers to when a value gets there, and once for all who refer to it: Ajv would compile it again with each of
 * the schemas of a large document. Hundreds of schemas that refer to each other in a ring are too many to be compiled one inside the
 * other, whatever the document.
 */
export const addLazyReferences = (ajv: Ajv2020): void => {
  ajv.removeKeyword('$ref')
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    errors: 'full',
    compile: (reference: string) => {
      let target: ValidateFunction | undefined
      const validate: LazyValidate = (data, context) => {
        target ??= referred(ajv, reference.startsWith('#') ? `${documentUri}${reference}` : reference)
        const holds = target(data, context)
        explaining.add(target).add(validate)
        // Ajv would put the `$ref` in the place of the keyword's value.
        validate.errors = (target.errors ?? []).map(error => ({
          ...error,
          params: { constraint: error.schema, ...error.params },
        }))
        return holds === true
      }
      return validate
    },
  })
}

/** What has judged the present value: each would keep its errors, and with them the whole value, until it judges another. */
const explaining = new Set<{ errors?: null | unknown }>()

/** Lets go of what these have said of a value. */
export const forgetReferredErrors = (): void => {
  if (explaining.size === 0) return
  for (const each of explaining) each.errors = null
  explaining.clear()
}
