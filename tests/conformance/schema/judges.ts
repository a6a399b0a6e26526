import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from '../../../conformance/schema/index.ts'

let count = 0

/** Ajv in its three usual set-ups and @hyperjump/json-schema, each by its name. */
export const judgesOf = async (
  schema: Schema,
): Promise<Readonly<Record<string, (value: unknown) => boolean>>> => {
  const [plain, formats, own] = [
    new Ajv2020({ strict: false, logger: false }),
    new Ajv2020({ strict: false, logger: false }),
    new Ajv2020({ strict: false, ownProperties: true, allErrors: true, logger: false }),
  ] as const
  addFormats.default(formats)
  addFormats.default(own)
  count += 1
  const uri = `https://tests.invalid/${count}`
  registerSchema(structuredClone(schema) as never, uri, 'https://json-schema.org/draft/2020-12/schema')
  const second = await validate(uri)
  unregisterSchema(uri)
  const ajv = (instance: Ajv2020) => {
    const compiled = instance.compile(structuredClone(schema) as object)
    return (value: unknown) => compiled(value) === true
  }
  return {
    Ajv: ajv(plain),
    'Ajv with formats': ajv(formats),
    'Ajv with own properties': ajv(own),
    Hyperjump: value => second(value as never).valid,
  }
}
