import {
  bodyMedia,
  type Contract,
  isObject,
  type JsonObject,
  type Operation,
  type ResponseClause,
  step,
} from '../../spec/index.ts'
import { createExamples } from '../examples.ts'
import { createSampler } from '../prism.ts'
import type { Sketch } from './sample-request.ts'

/** Draws requests of an operation as Prism makes values of its schemas; each attempt gives another one. */
export type Drawing = (attempt: number) => Promise<Sketch>

const path = '/drawn'

/** Prism makes values of answers: here they are asked for as the answer of an operation that nobody has. */
export const createDrawing = (contract: Contract, operation: Operation): Drawing => {
  const parts = partsOf(operation)
  const schema = {
    type: 'object',
    required: parts.map(({ name }) => name),
    properties: Object.fromEntries(
      parts.map(({ name, pointer }) => [name, { $ref: `#${encodeURI(pointer)}` }]),
    ),
  }
  const answer = { description: 'drawn', content: { 'application/json': { schema } } }
  const paths = { ...(contract.document.paths as object), [path]: { post: { responses: { 200: answer } } } }
  const drawing = { ...contract, document: { ...contract.document, paths } }
  const sampler = createSampler(
    drawing,
    createExamples(drawing, () => {}),
  )
  const at = step(step('/paths', path), 'post')
  const clause: ResponseClause = { status: '200', media: [], headers: [], pointer: `${at}/responses/200` }
  const drawn: Operation = {
    ...operation,
    method: 'POST',
    path,
    pointer: at,
  }
  return async attempt => {
    const { body } = await sampler(drawn, clause, 200, attempt % 2 === 0 ? 'document' : 'random', attempt)
    const values: JsonObject = isObject(body) ? body : {}
    const parameters = parts.flatMap(({ name, parameter }) =>
      parameter === null || values[name] === undefined ? [] : [[parameter, values[name]] as const],
    )
    return { parameters: Object.fromEntries(parameters), body: values[ofBody] }
  }
}

const ofBody = 'body'

/** The schemas of the required parameters and of the body. */
const partsOf = (operation: Operation) => {
  const schema = bodyMedia(operation)?.schema ?? null
  return [
    ...(schema === null ? [] : [{ name: ofBody, pointer: schema, parameter: null }]),
    ...operation.parameters.flatMap(({ name, required, schema: pointer }, index) =>
      required && pointer !== null ? [{ name: `parameter${index}`, pointer, parameter: name }] : [],
    ),
  ]
}
