import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import type { Json } from '../json/json.ts'
import type { Pointer } from '../json/pointer.ts'
import { compilePattern } from '../patterns/pattern.ts'
import {
  absolute,
  documentUri,
  isLarge,
  looksBehindReferences,
  nestsLists,
  pointerOf,
  withoutExamples,
} from './document-references.ts'
import { type ExactLimits, exactKeywords, plain } from './exact-numbers.ts'
import { addFormats } from './formats.ts'
import { addLazyReferences, deepEnough, forgetReferredErrors, referred } from './lazy-references.ts'
import { addOpenNull, withoutOpenNulls } from './open-null.ts'
import { type SchemaViolation, violation } from './schema-violation.ts'
import { type Alternatives, createPointers, nameTwo } from './two-alternatives.ts'

export type Schema = boolean | { readonly [keyword: string]: unknown }

export type Validate = (value: Json) => readonly SchemaViolation[]

/** Compiles schemas of one document; `#/…` references point into it. */
export type SchemaSet = {
  readonly validator: (pointer: Pointer) => Validate
  /** Compiles a schema whose `#/…` references point into the document. Throws if Ajv cannot compile it. */
  readonly compile: (schema: Schema) => Validate
  /** Frees what is compiled; what judges again is compiled again. */
  readonly free: () => void
}

/** `limits`: called when the first value is judged. Until then nothing is made ready, as that takes long for a large document. */
export const createSchemaSet = (document: object, limits: () => ExactLimits): SchemaSet => {
  // The schemas are checked by `lint`: checking them again would cost more than everything else here.
  const optimize = !isLarge(document)
  let known: ExactLimits | null = null
  const exact = (): ExactLimits => {
    known ??= limits()
    return known
  }
  const create = (isLazy: boolean): Ajv2020 => {
    const ajv = createAjv(exact(), {
      validateSchema: false,
      inlineRefs: !isLazy && !nestsLists(document, inlinedLists),
      code: { optimize },
    })
    if (isLazy) addLazyReferences(ajv)
    // Ajv reads what is added as a schema, and would take fields of the document for keywords.
    const fields = Object.entries(document).filter(([name]) => ajv.getKeyword(name) === false)
    const shell: AnySchemaObject = Object.fromEntries(fields)
    withoutExamples(shell, () => ajv.addSchema(shell, documentUri, undefined, false))
    return ajv
  }
  let ajv: Ajv2020 | null = null
  const current = (): Ajv2020 => {
    if (ajv !== null) return ajv
    ajv = create(!optimize && !looksBehindReferences(document))
    return ajv
  }
  const compiled = new Map<Pointer, Validate>()
  const frees: (() => void)[] = []
  const set: SchemaSet = {
    validator: pointer => {
      const known = compiled.get(pointer)
      if (known !== undefined) return known
      const schema = { $ref: `${documentUri}#${encodeURI(pointer)}` }
      const make = (): Validate =>
        wrap(
          deepEnough(
            () => current().compile(schema),
            () => {
              ajv = create(true)
              return referred(ajv, schema.$ref)
            },
          ),
          exact(),
          alternatives,
        )
      // Of the thousands of schemas of a large document, most never judge a value.
      let made: Validate | null = null
      const validate: Validate = value => {
        made ??= make()
        return made(value)
      }
      compiled.set(pointer, validate)
      frees.push(() => {
        made = null
      })
      return validate
    },
    compile: schema => {
      const pointer = pointerOf(schema)
      return pointer === null
        ? wrap(current().compile(absolute(schema) as AnySchemaObject), exact(), alternatives)
        : set.validator(pointer)
    },
    free: () => {
      for (const free of frees) free()
      ajv = null
    },
  }
  const alternatives = { pointerOf: createPointers(document), validator: set.validator }
  sets.set(document, set)
  return set
}

const sets = new WeakMap<object, SchemaSet>()

/** Whether a value is valid against all the schemas of a place. */
export const isValidAt = (
  { validator }: Pick<SchemaSet, 'validator'>,
  { schemas }: { readonly schemas: readonly Pointer[] },
  value: Json,
): boolean => schemas.every(schema => validator(schema)(value).length === 0)

/** The schemas of a document: those of its contract, if it has one. */
export const schemasIn = (document: object): SchemaSet =>
  sets.get(document) ?? createSchemaSet(document, () => noLimits)

/** Ajv compiles schemas without references into those that refer to them. It looks into each list twice for these, and so 2^n times into n lists. */
const inlinedLists = 8

/** Compiles a schema without a document around it. Throws if Ajv cannot compile it. */
export const compileSchema = (schema: Schema): Validate => {
  throwIfInvalid(schema)
  return wrap(
    createAjv(noLimits, { validateSchema: false }).compile(schema as AnySchemaObject),
    noLimits,
    noDocument,
  )
}

/** Plain Ajv for values from `JSON.parse`: a second oracle for generated values. Throws if Ajv cannot compile the schema. */
export const compilePlain = (
  schema: Schema,
  { formats, ownProperties }: { readonly formats: boolean; readonly ownProperties: boolean },
): ((value: unknown) => boolean) => {
  throwIfInvalid(schema)
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties,
    validateFormats: formats,
    // Optimizing a large schema takes three times as long, for code that is only a little faster.
    code: { optimize: false, regExp },
    messages: false,
    logger: false,
  })
  if (formats) addFormats(ajv)
  const validate = ajv.compile(schema as AnySchemaObject)
  return value => validate(value) === true
}

// Compiling the meta-schema takes longer than compiling most schemas, so it is done once.
let metaValidator: Ajv2020 | undefined
const throwIfInvalid = (schema: Schema): void => {
  metaValidator ??= createAjv(noLimits, { code: { optimize: false } })
  metaValidator.validateSchema(schema as AnySchemaObject, true)
}

/** A meta-schema of JSON Schema 2020-12, by its URI. */
export const metaSchema = (uri: string): object | undefined => {
  const found = new Ajv2020({ logger: false }).getSchema(uri)?.schema
  return typeof found === 'object' ? found : undefined
}

/** What Ajv asks of an engine of regular expressions: it tells patterns apart by their text. */
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern)
    return { test: (text: string) => compiled.test(text), toString: () => pattern }
  },
  { code: 'compilePattern' },
)

const createAjv = (limits: ExactLimits, options: Options = {}): Ajv2020 => {
  // Contracts use keywords that Ajv's strict mode rejects (`xml`, `example`, `x-…`).
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    verbose: true,
    logger: false,
    ...options,
    code: { ...options.code, regExp },
  })
  addFormats(ajv)
  addOpenNull(ajv)
  for (const definition of exactKeywords(limits, ajv.formats)) {
    ajv.removeKeyword(definition.keyword)
    ajv.addKeyword(definition as unknown as FuncKeywordDefinition)
  }
  return ajv
}

const wrap =
  (validate: ValidateFunction, limits: ExactLimits, alternatives: Alternatives): Validate =>
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
    const violations = validate(data, context)
      ? none
      : withoutOpenNulls(validate.errors ?? []).map(error => ({ error, violation: violation(error, limits) }))
    validate.errors = null
    forgetReferredErrors()
    return violations.some(each => each.violation.detail === 'two')
      ? nameTwo(violations, value, alternatives)
      : violations.map(each => each.violation)
  }

const none: readonly { readonly error: ErrorObject; readonly violation: SchemaViolation }[] = []
const noLimits: ExactLimits = new Map()
const noDocument: Alternatives = { pointerOf: () => undefined, validator: () => () => [] }
