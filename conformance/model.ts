import {
  type AnswerJudge,
  type Context,
  type Contract,
  contextOf,
  createAnswerJudge,
  createRequestJudge,
  type Identity,
  identityOf,
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
  readonly judgeRequest: RequestJudge
  readonly judgeAnswer: AnswerJudge
  readonly bodyGenerator: () => Generator | null
  readonly parameters: readonly ParameterModel[]
}

export type ParameterModel = {
  readonly parameter: Parameter
  readonly root: SchemaPlace | null
  readonly generator: () => Generator | null
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
    judgeRequest: createRequestJudge(contract, operation),
    judgeAnswer: createAnswerJudge(contract, operation),
    bodyGenerator: generatorOf(body?.media.schema),
    parameters: operation.parameters.map(parameter => ({
      parameter,
      root: parameter.schema === null ? null : placesOf(contract.document, parameter.schema),
      generator: generatorOf(parameter.schema),
    })),
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
