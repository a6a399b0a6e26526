import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from '../../generator/index.ts'

type Validator = (value: unknown) => boolean

let count = 0

export const createHyperjumpValidator = async (schema: Schema): Promise<Validator> => {
  count += 1
  const uri = `https://tests.invalid/${count}`
  registerSchema(structuredClone(schema) as never, uri, 'https://json-schema.org/draft/2020-12/schema')
  const hyperjump = await validate(uri)
  unregisterSchema(uri)
  return value => hyperjump(value as never).valid
}

const createAjvValidator = (schema: Schema, formats: boolean, options: Options = {}): Validator => {
  // The schemas of the tests are valid: to check each one would compile the meta-schema each time.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ...options })
  if (formats) addFormats.default(ajv)
  const compiled = ajv.compile(structuredClone(schema) as object)
  return value => compiled(value) === true
}

/** Ajv in its three usual configurations and @hyperjump/json-schema, each by its name. */
export const validatorsOf = async (schema: Schema): Promise<Readonly<Record<string, Validator>>> => ({
  Ajv: createAjvValidator(schema, false),
  'Ajv with formats': createAjvValidator(schema, true),
  'Ajv with own properties': createAjvValidator(schema, true, { ownProperties: true, allErrors: true }),
  Hyperjump: await createHyperjumpValidator(schema),
})
