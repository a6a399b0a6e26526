import { inUnicodeMode } from '../../patterns/unicode-mode.ts'

/** What the value of a keyword must be, in words; null if it is that. */
type Rule = (value: unknown) => string | null

/**
 * - `schema`, `list`, `map`: the value is a schema, a list of schemas or a map of schemas
 * - `constraint`: the values of the schema are judged by it
 * - `annotation`: nothing is judged by it
 */
export type Keyword =
  | { readonly kind: 'schema' | 'list' | 'map' }
  | { readonly kind: 'constraint' | 'annotation'; readonly rule: Rule }

const must =
  (text: string, holds: (value: unknown) => boolean): Rule =>
  value =>
    holds(value) ? null : text

const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const areTextValues = (value: unknown): boolean =>
  table(value) === null && Object.values(value as object).every(isText)

const text = must('must be a text', isText)
const flag = must('must be true or false', isFlag)
const number = must('must be a number', value => typeof value === 'number')
const count = must('must be an integer of at least 0', isCount)
const texts = must(
  'must be a list of different texts',
  value => areTexts(value) && isUnique(value as string[]),
)
const list = must('must be a list', Array.isArray)
const table = must(
  'must be an object',
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)
const anything: Rule = () => null

/** An object of OpenAPI inside a schema. */
const fields =
  (holds: Readonly<Record<string, (value: unknown) => boolean>>, required?: string): Rule =>
  value => {
    if (table(value) !== null) return 'must be an object'
    const wrong = Object.entries(value as object).find(
      ([name, field]) => !name.startsWith('x-') && holds[name]?.(field) !== true,
    )
    if (wrong !== undefined) return `has a field "${wrong[0]}" that is unknown or of the wrong type`
    return required === undefined || Object.hasOwn(value as object, required)
      ? null
      : `must have required property '${required}'`
  }

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const types: Rule = value => {
  const names = [value].flat()
  return names.length > 0 &&
    names.every(name => typeof name === 'string' && typeNames.includes(name)) &&
    isUnique(names.map(String))
    ? null
    : `must be one of ${typeNames.join(', ')}`
}

/** JSON Schema has those of ECMA-262. */
export const patternRule = 'must be a regular expression of ECMAScript, also in Unicode mode'

/** What is said of a pattern that is taken for this one. */
export const patternReadAs = (pattern: string): string =>
  `a pattern ${patternRule}, without slashes and flags: this one is read as ${pattern}`

const pattern = must(patternRule, value => typeof value === 'string' && inUnicodeMode(value) !== null)

const constraint = (rule: Rule): Keyword => ({ kind: 'constraint', rule })
const annotation = (rule: Rule): Keyword => ({ kind: 'annotation', rule })

/** The keywords of JSON Schema 2020-12, and those that OpenAPI 3.1 adds. */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['then', { kind: 'schema' }],
  ...Object.entries({
    additionalProperties: { kind: 'schema' },
    allOf: { kind: 'list' },
    anyOf: { kind: 'list' },
    const: constraint(anything),
    contains: { kind: 'schema' },
    $defs: { kind: 'map' },
    dependentRequired: constraint(
      must(
        'must be a map of lists of texts',
        value => table(value) === null && Object.values(value as object).every(areTexts),
      ),
    ),
    dependentSchemas: { kind: 'map' },
    else: { kind: 'schema' },
    enum: constraint(must('must be a list of values', value => Array.isArray(value))),
    exclusiveMaximum: constraint(number),
    exclusiveMinimum: constraint(number),
    format: constraint(text),
    if: { kind: 'schema' },
    items: { kind: 'schema' },
    maxContains: constraint(count),
    maximum: constraint(number),
    maxItems: constraint(count),
    maxLength: constraint(count),
    maxProperties: constraint(count),
    minContains: constraint(count),
    minimum: constraint(number),
    minItems: constraint(count),
    minLength: constraint(count),
    minProperties: constraint(count),
    multipleOf: constraint(must('must be a number above 0', value => typeof value === 'number' && value > 0)),
    not: { kind: 'schema' },
    oneOf: { kind: 'list' },
    pattern: constraint(pattern),
    patternProperties: { kind: 'map' },
    prefixItems: { kind: 'list' },
    properties: { kind: 'map' },
    propertyNames: { kind: 'schema' },
    required: constraint(texts),
    type: constraint(types),
    unevaluatedItems: { kind: 'schema' },
    unevaluatedProperties: { kind: 'schema' },
    uniqueItems: constraint(flag),
    $dynamicRef: constraint(
      must('must begin with #', value => isText(value) && String(value).startsWith('#')),
    ),
    $anchor: annotation(text),
    $comment: annotation(text),
    $dynamicAnchor: annotation(text),
    $id: annotation(text),
    $ref: annotation(text),
    $schema: annotation(text),
    $vocabulary: annotation(table),
    contentEncoding: annotation(text),
    contentMediaType: annotation(text),
    contentSchema: { kind: 'schema' },
    default: annotation(anything),
    deprecated: annotation(flag),
    description: annotation(text),
    discriminator: annotation(
      fields({ propertyName: isText, mapping: areTextValues, defaultMapping: isText }, 'propertyName'),
    ),
    example: annotation(anything),
    examples: annotation(list),
    externalDocs: annotation(fields({ url: isText, description: isText }, 'url')),
    readOnly: annotation(flag),
    title: annotation(text),
    writeOnly: annotation(flag),
    xml: annotation(
      fields({
        name: isText,
        namespace: isText,
        prefix: isText,
        attribute: isFlag,
        wrapped: isFlag,
        nodeType: isText,
      }),
    ),
  } satisfies Record<string, Keyword>),
])

/** Keywords that OpenAPI 3.0 does not have. */
export const newerKeywords: ReadonlySet<string> = new Set(
  `$anchor $comment $defs $dynamicAnchor $dynamicRef $id $schema $vocabulary const contains contentEncoding contentMediaType
   contentSchema dependentRequired dependentSchemas else examples if maxContains minContains patternProperties prefixItems
   propertyNames then unevaluatedItems unevaluatedProperties`.split(/\s+/),
)
