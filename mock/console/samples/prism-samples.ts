import {
  bodyMedia,
  type Contract,
  type DeclaredResponse,
  isObject,
  type JsonObject,
  type Operation,
  step,
} from '../../../spec/index.ts'
import { createExamples } from '../../values/examples.ts'
import { createSampler } from '../../values/prism.ts'
import type { RequestSpec } from './sample-request.ts'

/** Generates a request with Prism; each attempt gives a different one. */
export type PrismSampler = (attempt: number) => Promise<RequestSpec>

const path = '/prism-sample'

/**
 * Prism generates response bodies only. So this adds an operation to a copy of the document, whose response body is an
 * object that holds the request's parameters and body.
 */
export const createPrismSampler = (contract: Contract, operation: Operation): PrismSampler => {
  const parts = partsOf(operation)
  const schema = {
    type: 'object',
    required: parts.map(({ property }) => property),
    properties: Object.fromEntries(
      parts.map(({ property, pointer }) => [property, { $ref: `#${encodeURI(pointer)}` }]),
    ),
  }
  const response = { description: 'sample', content: { 'application/json': { schema } } }
  const paths = { ...(contract.document.paths as object), [path]: { post: { responses: { 200: response } } } }
  const extended = { ...contract, document: { ...contract.document, paths } }
  const examples = createExamples(extended, () => {})
  const sampler = createSampler(extended, examples)
  const pointer = step(step('/paths', path), 'post')
  const declared: DeclaredResponse = {
    status: '200',
    media: [],
    headers: [],
    pointer: `${pointer}/responses/200`,
  }
  const sampled: Operation = { ...operation, method: 'POST', path, pointer }
  return async attempt => {
    const mode = attempt % 2 === 0 ? 'document' : 'random'
    const { body } = await sampler(sampled, declared, 200, mode, attempt)
    const values: JsonObject = isObject(body) ? body : {}
    const parameters = parts.flatMap(({ property, parameter }) =>
      parameter === null || values[property] === undefined ? [] : [[parameter, values[property]] as const],
    )
    return { parameters: Object.fromEntries(parameters), body: values[bodyProperty] }
  }
}

const bodyProperty = 'body'

/** The schemas of the body and of the required parameters, each with the property that holds its value. */
const partsOf = (operation: Operation) => {
  const schema = bodyMedia(operation)?.schema ?? null
  return [
    ...(schema === null ? [] : [{ property: bodyProperty, pointer: schema, parameter: null }]),
    ...operation.parameters.flatMap(({ name, required, schema: pointer }, index) =>
      required && pointer !== null ? [{ property: `parameter${index}`, pointer, parameter: name }] : [],
    ),
  ]
}
