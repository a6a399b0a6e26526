import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { type ExactLimits, exactKeywords, plain } from './exact.ts'
import type { Json } from './json.ts'
import { type Pointer, step } from './pointer.ts'

export type Schema = boolean | { readonly [keyword: string]: unknown }

/** One keyword of a schema that a value breaks. */
export type Violation = {
  /** The place in the value; for `required` and its kin the place that is missing. */
  readonly at: Pointer
  readonly keyword: string
  /** What the keyword asks for, as the schema gives it. */
  readonly asked: unknown
  readonly message: string
  /** Of `oneOf`: `two` where more than one alternative takes the value; else empty. */
  readonly detail: string
}

export type Validate = (value: Json) => readonly Violation[]

/** Compiles schemas of one document; `#/…` references are looked up in it. */
export type SchemaSet = { readonly validator: (pointer: Pointer) => Validate }

const base = 'contract:/document'

export const createSchemaSet = (document: object, limits: ExactLimits): SchemaSet => {
  // `check` has looked at the schemas: to do it again costs more than all else that is compiled here.
  const ajv = createAjv(limits, { validateSchema: false })
  ajv.addSchema(document as AnySchemaObject, base, undefined, false)
  const compiled = new Map<Pointer, Validate>()
  return {
    validator: pointer => {
      const known = compiled.get(pointer)
      if (known !== undefined) return known
      const validate = wrap(ajv.compile({ $ref: `${base}#${encodeURI(pointer)}` }))
      compiled.set(pointer, validate)
      return validate
    },
  }
}

/** Tells what is wrong with a schema by the meta-schema of JSON Schema 2020-12. */
export const createSchemaCheck = (): ((schema: unknown) => readonly Violation[]) => {
  const ajv = createAjv(new Map(), { code: { optimize: false } })
  return schema =>
    ajv.validateSchema(schema as AnySchemaObject) === true ? [] : (ajv.errors ?? []).map(violation)
}

/** Compiles a schema that stands alone. Throws where Ajv cannot compile it. */
export const compileSchema = (schema: Schema): Validate =>
  wrap(createAjv(new Map()).compile(schema as AnySchemaObject))

/** Ajv as it comes, for values that `JSON.parse` has read: a second judge for generated values. Throws where it cannot compile. */
export const compilePlain = (
  schema: Schema,
  { formats, ownProperties }: { readonly formats: boolean; readonly ownProperties: boolean },
): ((value: unknown) => boolean) => {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties,
    validateFormats: formats,
    // A large schema takes three times as long to compile to code that is a little faster.
    code: { optimize: false },
    messages: false,
    logger: false,
  })
  if (formats) addFormats(ajv)
  const validate = ajv.compile(schema as AnySchemaObject)
  return value => validate(value) === true
}

/** A meta-schema of JSON Schema 2020-12, by its URI. */
export const metaSchema = (uri: string): object | undefined => {
  const found = new Ajv2020({ logger: false }).getSchema(uri)?.schema
  return typeof found === 'object' ? found : undefined
}

const addFormats = formatsPlugin as unknown as (ajv: Ajv2020) => void

const createAjv = (limits: ExactLimits, options: Options = {}): Ajv2020 => {
  // Descriptions of a contract use words that Ajv's strict mode does not know (`xml`, `example`, `x-…`).
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    verbose: true,
    logger: false,
    ...options,
  })
  addFormats(ajv)
  for (const { fails = 'must keep', ...definition } of exactKeywords(limits, ajv.formats)) {
    ajv.removeKeyword(definition.keyword)
    ajv.addKeyword({
      ...(definition as unknown as FuncKeywordDefinition),
      error: {
        message: ({ keyword, schema }) => (fails === 'must keep' ? `must keep ${keyword} ${schema}` : fails),
      },
    })
  }
  return ajv
}

const wrap =
  (validate: ValidateFunction): Validate =>
  value => {
    const holder = { '': value }
    const data = plain(value, holder, '')
    const context = {
      instancePath: '',
      parentData: holder,
      parentDataProperty: '',
      rootData: data as never,
      dynamicAnchors: {},
    }
    return validate(data, context) ? [] : (validate.errors ?? []).map(violation)
  }

const violation = ({ instancePath, keyword, params, schema, message = '' }: ErrorObject): Violation => {
  const missing = (params as { missingProperty?: string }).missingProperty
  const extra =
    (params as { additionalProperty?: string; unevaluatedProperty?: string }).additionalProperty ??
    (params as { unevaluatedProperty?: string }).unevaluatedProperty
  const name = missing ?? extra
  const passing = (params as { passingSchemas?: readonly number[] | null }).passingSchemas
  return {
    at: name === undefined ? instancePath : step(instancePath, name),
    keyword,
    asked: schema,
    message,
    detail: keyword === 'oneOf' && passing != null ? 'two' : '',
  }
}
