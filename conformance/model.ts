import {
  type AnswerJudge,
  type Context,
  type Contract,
  contextOf,
  createAnswerJudge,
  createRequestJudge,
  type Identity,
  identityOf,
  type Json,
  type Operation,
  type Parameter,
  placesOf,
  type RequestJudge,
  type SchemaPlace,
} from '../spec/index.ts'
import { compileGenerator, type Generator } from './schema/index.ts'

/** All that is needed to ask questions of one operation, compiled once a run. */
export type Model = {
  readonly contract: Contract
  readonly operation: Operation
  readonly body: Context['body']
  readonly identity: Identity | null
  /** Why no valid request can be made; null where one can. */
  readonly unsupported: string | null
  /** Whether the body's schema takes a value. */
  readonly holds: (body: Json) => boolean
  readonly judgeRequest: RequestJudge
  readonly judgeAnswer: AnswerJudge
  readonly bodyGenerator: () => Generator | null
  readonly parameters: readonly ParameterModel[]
}

export type ParameterModel = {
  readonly parameter: Parameter
  readonly root: SchemaPlace | null
  readonly generator: () => Generator | null
  readonly holds: (value: Json) => boolean
}

export const createModel = (contract: Contract, operation: Operation): Model => {
  const { body } = contextOf(contract, operation)
  const generatorOf = (pointer: string | null | undefined): (() => Generator | null) =>
    once(() =>
      pointer == null ? null : compileGenerator({ $ref: `#${encodeURI(pointer)}` }, contract.document),
    )
  return {
    contract,
    operation,
    body,
    identity: body === null ? null : identityOf(operation, body.root),
    unsupported:
      body === null && operation.body?.required === true
        ? `its body is ${operation.body.media.map(({ type }) => type).join(' or ')}: only JSON with a schema, and forms of flat fields, are generated`
        : null,
    holds: holdsOf(contract, body?.media.schema ?? null),
    judgeRequest: createRequestJudge(contract, operation),
    judgeAnswer: createAnswerJudge(contract, operation),
    bodyGenerator: generatorOf(body?.media.schema),
    parameters: operation.parameters.map(parameter => ({
      parameter,
      root: parameter.schema === null ? null : placesOf(contract.document, parameter.schema),
      generator: generatorOf(parameter.schema),
      holds: holdsOf(contract, parameter.schema),
    })),
  }
}

const holdsOf = (contract: Contract, schema: string | null): ((body: Json) => boolean) => {
  if (schema === null) return () => true
  const validate = contract.schemas.validator(schema)
  return body => validate(body).length === 0
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
