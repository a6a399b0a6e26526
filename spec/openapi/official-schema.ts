import { asNode } from '../json/follow-refs.ts'
import { type Pointer, parentOf, step } from '../json/pointer.ts'
import type { Problem } from './diagnostic.ts'
import { accepted } from './files.ts'
import { minorVersion } from './version-check.ts'

/** What the official JSON Schema says against a place of a document. */
type Fault = { readonly message: string; readonly at: Pointer }

/**
 * What the official JSON Schema of Swagger 2.0, OpenAPI 3.0 or 3.1 says against a bundled document, and what SwaggerParser knows of Swagger
 * 2.0 beside it.
 */
export const officialFaults = async (document: object): Promise<readonly Fault[]> => {
  const minor = 'openapi' in document ? minorVersion(document.openapi) : null
  // The package has no schema of 3.2.
  if (minor === 2) return []
  const value = accepted(document)
  // Without references in their place, which these schemas know: a schema would be validated as often as it is referred to.
  const { details } = await rejection(structuredClone(value), { schema: true, spec: false }, () => true)
  const schema = `the official JSON Schema of ${minor === null ? 'Swagger 2.0' : `OpenAPI 3.${minor}`}`
  const found = plainest((details ?? []) as readonly SchemaError[]).map(each => faultOf(each, schema))
  if (minor !== null) return found
  const { message = '' } = await rejection(structuredClone(value), { schema: false, spec: true }, () => false)
  return [...found, ...ruleFaults(document, message)]
}

/** How SwaggerParser rejects a document, which it changes; empty if it does not. */
const rejection = async (
  document: object,
  validate: { readonly schema: boolean; readonly spec: boolean },
  excludedPathMatcher: () => boolean,
): Promise<{ readonly message?: string; readonly details?: unknown }> => {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
  const options = {
    resolve: { external: false },
    dereference: { circular: 'ignore', excludedPathMatcher },
    timeoutMs: 20_000,
    validate,
  }
  try {
    await SwaggerParser.validate('/', document as never, options as never)
    return {}
  } catch (error) {
    return error as Error
  }
}

/** The first rule of Swagger 2.0 that an operation breaks: SwaggerParser stops there, and names the operation in its words. */
const ruleFaults = (document: object, message: string): readonly Fault[] => {
  const [, text] = /^Validation failed\. (.*)/.exec(message) ?? []
  if (text === undefined) return []
  const operations = Object.entries(asNode(asNode(document).paths)).flatMap(([path, item]) =>
    Object.keys(asNode(item)).map(method => ({
      name: `/paths${path}/${method}`,
      at: step(step('/paths', path), method),
    })),
  )
  // Of `/a/get` and `/a/get/get`, the longer.
  const [named] = operations
    .filter(({ name }) => text.includes(name))
    .sort((left, right) => right.name.length - left.name.length)
  return named === undefined ? [] : [{ message: `Swagger 2.0: ${text.replace(/\.$/, '')}`, at: named.at }]
}

/** What nothing of our own is told of: neither at the place, nor within it, nor beside it, nor of what holds it. */
export const untold = (official: readonly Problem[], ours: readonly Problem[]): readonly Problem[] =>
  official.filter(({ place }) => {
    if (place === null) return false
    const near = ours.flatMap(each => (each.place?.file === place.file ? [each.place] : []))
    return !near.some(
      ({ line, pointer }) =>
        line === place.line ||
        isWithin(pointer, place.pointer) ||
        isWithin(place.pointer, pointer) ||
        (parentOf(pointer) !== '' && parentOf(pointer) === parentOf(place.pointer)),
    )
  })

const isWithin = (pointer: Pointer, holder: Pointer): boolean =>
  holder !== '' && `${pointer}/`.startsWith(`${holder}/`)

/** As Ajv tells it. */
type SchemaError = {
  readonly keyword: string
  readonly instancePath: Pointer
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

const isSummary = ({ keyword }: SchemaError): boolean => ['oneOf', 'anyOf', 'if', 'not'].includes(keyword)

/** What follows from another error: a field counts as unknown if its alternative was rejected for something else. */
const isLeftover = ({ keyword }: SchemaError): boolean => keyword === 'unevaluatedProperties'

/** What the schema of OpenAPI 3.1 in the package, that of 2021-04-15, has wrong: the specification allows these, and a licence of a name alone. */
const mistaken =
  /^\/info\/license$|\/links\/[^/]+\/server$|\/variables\/[^/]+\/description$|\/securitySchemes\/[^/]+\/bearerFormat$/

/** Of all errors those that say what is wrong: not one for each alternative, and not that of a Reference Object. */
const plainest = (errors: readonly SchemaError[]): readonly SchemaError[] => {
  const told = errors.filter(
    error =>
      !/\/(?:oneOf|anyOf)\/\d|\/definitions\/(?:Reference|jsonReference)\//.test(error.schemaPath) &&
      error.params.missingProperty !== '$ref' &&
      !isOfReference(error, errors),
  )
  const weight = (error: SchemaError): number => (isSummary(error) ? 0 : isLeftover(error) ? 1 : 2)
  const kept = told.filter(
    error =>
      !told.some(
        other =>
          weight(other) > weight(error) && `${other.instancePath}/`.startsWith(`${error.instancePath}/`),
      ),
  )
  return [...new Map(kept.map(each => [placeOf(each), each])).values()].filter(
    each => !mistaken.test(placeOf(each)),
  )
}

/** Swagger 2.0 allows no field beside a `$ref`: without one, only a field that the other alternative has not either is unknown. */
const isOfReference = (error: SchemaError, errors: readonly SchemaError[]): boolean => {
  const field = error.params.additionalProperty
  if (field === undefined) return false
  const here = errors.filter(({ instancePath }) => instancePath === error.instancePath)
  return (
    here.some(({ schemaPath, params }) => params.missingProperty === '$ref' && schemaPath === '#/required') &&
    here.filter(({ params }) => params.additionalProperty === field).length === 1
  )
}

const placeOf = (error: SchemaError): Pointer => {
  const field = fieldOf(error)
  return field === undefined ? error.instancePath : step(error.instancePath, field)
}

const fieldOf = ({ params }: SchemaError): string | undefined => {
  const field = params.additionalProperty ?? params.unevaluatedProperty
  return typeof field === 'string' ? field : undefined
}

const faultOf = (error: SchemaError, schema: string): Fault => {
  const { keyword, instancePath, params, message = '' } = error
  const field = fieldOf(error)
  if (field !== undefined) return { message: `${schema} has no field "${field}" here`, at: placeOf(error) }
  if (keyword === 'required')
    return { message: `${schema} requires the field "${params.missingProperty}"`, at: instancePath }
  if (isSummary(error))
    return { message: `${schema} allows several forms here, and not this one`, at: instancePath }
  return { message: `${schema}: ${message}`, at: instancePath }
}
