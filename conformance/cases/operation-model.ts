import { compileGenerator, type Generator } from '../../generator/index.ts'
import {
  type Contract,
  createRequestJudge,
  createResponseJudge,
  type Identity,
  identityOf,
  isShown,
  isShownIn,
  type Json,
  type Media,
  type Operation,
  type OperationContext,
  operationContext,
  type Parameter,
  placesOf,
  type RequestJudge,
  type ResponseJudge,
  type SchemaPlace,
} from '../../spec/index.ts'

/** Values of an operation that requests were seen to have, the names of parameters without their places. */
export type OperationExamples = {
  readonly parameters: Readonly<Record<string, readonly Json[]>>
  readonly bodies: readonly Json[]
}

/** One operation, compiled once per run: its judges, its generators, and the identity of what it creates. */
export type OperationModel = {
  readonly contract: Contract
  readonly operation: Operation
  /** Examples that are not in the document. */
  readonly examples: OperationExamples
  readonly body: OperationContext['body']
  readonly identity: Identity | null
  /** Why no valid request can be generated; null if one can. */
  readonly unsupported: string | null
  /** Whether a value is valid against the body's schema. */
  readonly isValidBody: (body: Json) => boolean
  readonly judgeRequest: RequestJudge
  readonly judgeResponse: ResponseJudge
  readonly bodyGenerator: () => Generator | null
  readonly parameters: readonly ParameterModel[]
}

export type ParameterModel = {
  readonly parameter: Parameter
  readonly root: SchemaPlace | null
  readonly generator: () => Generator | null
  readonly isValid: (value: Json) => boolean
}

export const createOperationModel = (
  contract: Contract,
  operation: Operation,
  examples: OperationExamples = { parameters: {}, bodies: [] },
): OperationModel => {
  const { body } = operationContext(contract, operation)
  const generatorOf = (pointer: string | null | undefined) => (): Generator | null =>
    pointer == null ? null : sharedGenerator(contract.requests.document, pointer)
  return {
    contract,
    operation,
    examples,
    body,
    identity: body === null ? null : identityOf(operation, body.root),
    unsupported:
      body === null && operation.body?.required === true
        ? `its body cannot be made: ${operation.body.media.map(each => `${each.type}: ${reasonOf(each)}`).join('; ')}`
        : null,
    isValidBody: bodyValidator(contract, body),
    judgeRequest: createRequestJudge(contract, operation),
    judgeResponse: createResponseJudge(contract, operation),
    bodyGenerator: generatorOf(body?.media.schema),
    parameters: operation.parameters.map(parameter => ({
      parameter,
      root: parameter.schema === null ? null : placesOf(contract.requests.document, parameter.schema),
      generator: generatorOf(parameter.schema),
      isValid: parameterValidator(contract, parameter),
    })),
  }
}

const reasonOf = ({ schema, format }: Media): string =>
  schema === null
    ? 'it has no schema'
    : format.kind === 'opaque'
      ? format.reason
      : 'a range names no media type to send'

/**
 * Operations of a large contract share most of their parameters, and the generators of their values. The last ones are kept; those
 * before them only as long as somebody draws from them, as each may hold megabytes of what it has worked out.
 */
const sharedGenerator = (document: object, pointer: string): Generator => {
  const ofDocument = generators.get(document) ?? {
    known: new Map<string, WeakRef<Generator>>(),
    last: new Map(),
  }
  generators.set(document, ofDocument)
  const { known, last } = ofDocument
  let generator = known.get(pointer)?.deref()
  if (generator === undefined) {
    generator = compileGenerator({ $ref: `#${encodeURI(pointer)}` }, document)
    known.set(pointer, new WeakRef(generator))
  }
  last.delete(pointer)
  last.set(pointer, generator)
  for (const oldest of last.keys()) {
    if (last.size <= keptGenerators) break
    last.delete(oldest)
  }
  return generator
}

const keptGenerators = 32

type Generators = {
  readonly known: Map<string, WeakRef<Generator>>
  /** The last asked for comes last. */
  readonly last: Map<string, Generator>
}

// The document outlives the run, and they should not.
const generators = new WeakMap<object, Generators>()

const parameterValidator = (contract: Contract, parameter: Parameter): ((value: Json) => boolean) => {
  const isValid = validatorOf(contract, parameter.schema)
  const root = parameter.schema === null ? null : placesOf(contract.requests.document, parameter.schema)
  return value =>
    (value === '' && parameter.allowEmpty === true) || (isShown(parameter, root, value) && isValid(value))
}

/** Bodies that a request can show, and that are valid. */
const bodyValidator = (contract: Contract, body: OperationContext['body']): ((value: Json) => boolean) => {
  const isValid = validatorOf(contract, body?.media.schema ?? null)
  return value => isValid(value) && (body === null || isShownIn(body.format, body.root, value))
}

const validatorOf = (contract: Contract, schema: string | null): ((body: Json) => boolean) => {
  if (schema === null) return () => true
  const validate = contract.requests.schemas.validator(schema)
  return body => validate(body).length === 0
}

/** Whether requests of an operation change nothing. */
export const isReading = ({ operation: { method } }: OperationModel): boolean =>
  method === 'GET' || method === 'HEAD'

/** The value, made when it is first asked for. */
export const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
