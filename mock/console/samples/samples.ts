import {
  isObject,
  type Obligation,
  operationContext,
  type RequestViolation,
  writeJson,
} from '../../../spec/index.ts'
import { judgeRequest } from '../../engine/judge.ts'
import { hasWrongCredentials } from '../../mutants/credentials.ts'
import type { MutantInput, MutationContext } from '../../mutants/mutation.ts'
import { isInvalidBy } from '../../mutants/reject.ts'
import type { Sample } from '../messages.ts'
import { fieldTexts } from './form-fields.ts'
import { invalidRequestSpecs } from './invalid-requests.ts'
import { createPrismSampler } from './prism-samples.ts'
import { type RequestSpec, requestOf, writeSample } from './sample-request.ts'
import { simpleRequestSpecs, type TitledSpec } from './simple-requests.ts'

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
