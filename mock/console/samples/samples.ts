import {
  bodyMedia,
  type Contract,
  type DeclaredResponse,
  isObject,
  type JsonObject,
  type Obligation,
  type Operation,
  operationContext,
  type RequestViolation,
  step,
  writeJson,
} from '../../../spec/index.ts'
import { judgeRequest } from '../../engine/judge.ts'
import type { MutantInput, MutationContext } from '../../mutants/mutation.ts'
import { hasWrongCredentials, isInvalidBy } from '../../mutants/reject.ts'
import { createExamples } from '../../values/examples.ts'
import { createSampler } from '../../values/prism.ts'
import type { Sample } from '../messages.ts'
import { fieldTexts, type RequestSpec, requestOf, writeSample } from './sample-request.ts'
import { invalidRequestSpecs, simpleRequestSpecs, type TitledSpec } from './simple-requests.ts'

const maxInvalid = 120
const maxTextLength = 4000
const maxAttempts = 10

export type SampleOptions = Pick<MutationContext, 'contract' | 'engine' | 'unauthenticated' | 'operation'> & {
  readonly obligations: readonly Obligation[]
  /** A token that the mock accepts. */
  readonly token: string
}

/**
 * Requests of an operation to try: valid ones, made from the document's examples and schemas, and one invalid request for
 * each obligation that can be violated. The engine has judged each of them, so each is what its title says.
 */
export const samplesOf = async (options: SampleOptions): Promise<readonly Sample[]> => {
  const { operation, obligations } = options
  const toSample = (title: string, violates: string | null, spec: RequestSpec): Sample => ({
    title,
    violates,
    ...writeSample(operation, spec),
    parts: isObject(spec.body) ? fieldTexts(spec.body) : {},
  })
  const valid = await validSpecs(options)
  if (valid.length === 0) return []
  const invalid = obligations
    .filter(({ family, subject }) => family === 'reject' || subject.kind === 'credentials')
    .slice(0, maxInvalid)
    .flatMap(obligation => {
      const found = valid
        .flatMap(({ spec }) => invalidRequestSpecs(options, obligation.subject, spec))
        .find(spec => (spec.text?.length ?? 0) < maxTextLength && violates(options, obligation, spec))
      return found === undefined
        ? []
        : [toSample(obligation.input ?? obligation.requirement, obligation.id, found)]
    })
  return [...valid.map(({ title, spec }) => toSample(title, null, spec)), ...invalid]
}

/** Simple requests; if none is valid, one that Prism generates; if that fails too, a simple one to be completed by hand. */
const validSpecs = async (options: SampleOptions): Promise<readonly TitledSpec[]> => {
  const { contract, operation } = options
  const simple = distinct(simpleRequestSpecs(contract, operation))
  const isValid = ({ spec }: TitledSpec): boolean => violationsOf(options, spec)?.length === 0
  const valid = simple.filter(isValid)
  if (valid.length > 0) return valid
  const generate = createPrismSampler(contract, operation)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const spec = await generate(attempt).catch(() => emptySpec)
    const found = [spec, withRequiredOnly(options, spec)]
      .map(spec => ({ title: 'generated from the schema', spec }))
      .find(isValid)
    if (found !== undefined) return [found]
  }
  return simple
    .slice(0, 1)
    .map(({ spec }) => ({ title: 'incomplete: no valid request could be generated', spec }))
}

const emptySpec: RequestSpec = { parameters: {}, body: undefined }

/** Without optional properties: random values rarely satisfy alternatives that exclude one another. */
const withRequiredOnly = ({ contract, operation }: SampleOptions, spec: RequestSpec): RequestSpec => {
  if (!isObject(spec.body)) return spec
  const required = operationContext(contract, operation).body?.root.required ?? []
  const body = Object.fromEntries(Object.entries(spec.body).filter(([name]) => required.includes(name)))
  return { ...spec, body }
}

const distinct = (specs: readonly TitledSpec[]): readonly TitledSpec[] =>
  [...new Map(specs.toReversed().map(titled => [keyOf(titled.spec), titled])).values()].toReversed()

const keyOf = ({ parameters, body }: RequestSpec): string =>
  `${writeJson(parameters)} ${body === undefined ? '' : writeJson(body)}`

/** The request as the engine reads it; null: it does not match the operation. */
const read = ({ operation, engine, token }: SampleOptions, spec: RequestSpec): MutantInput | null => {
  const request = requestOf(operation.method, writeSample(operation, spec), token)
  const judged = judgeRequest(engine, request)
  return judged?.operation === operation ? { ...judged, request, before: [] } : null
}

const violationsOf = (options: SampleOptions, spec: RequestSpec): readonly RequestViolation[] | undefined =>
  read(options, spec)?.violations

/** Whether a request violates this obligation, and little else. */
const violates = (options: SampleOptions, obligation: Obligation, spec: RequestSpec): boolean => {
  const request = read(options, spec)
  if (request === null || request.violations.length === 0) return false
  const { id, subject } = obligation
  const { violations } = request
  if (violations.length < 3 && violations.some(violation => violation.id === id)) return true
  const context: MutationContext = {
    ...options,
    obligation,
    siblings: options.obligations,
    tokens: [options.token],
  }
  return subject.kind === 'credentials'
    ? hasWrongCredentials(context, subject.name, request)
    : isInvalidBy(context, subject, request)
}

/** Generates a request with Prism; each attempt gives a different one. */
export type PrismSampler = (attempt: number) => Promise<RequestSpec>

const path = '/prism-sample'

/**
 * Prism generates response bodies only. So this adds an operation to a copy of the document, whose response body is an
 * object that holds the request's parameters and body.
 */
const createPrismSampler = (contract: Contract, operation: Operation): PrismSampler => {
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
