import {
  type DeclaredResponse,
  errorCodes,
  type Json,
  type Operation,
  responseFor,
  type SchemaPlace,
} from '../../spec/index.ts'
import { mediaOf } from '../media/offers.ts'
import { appliedPreferences, type ResponsePreferences } from '../preferences/prefer.ts'
import type { Examples } from '../values/examples.ts'
import { preferablyAcceptable, withVary } from './acceptable.ts'
import { buildResponse } from './build-response.ts'
import { withChallenge } from './challenge.ts'
import { exampleNames } from './compiled-response.ts'
import type { Context } from './context.ts'
import { compiledOperation, type Engine, fitOf } from './engine.ts'
import { errorBody } from './error-body.ts'
import { askedOf, type Fit } from './fit.ts'
import { type MockResponse, withHeader } from './mock-response.ts'
import { reject } from './reject.ts'
import type { JudgedRequest } from './request.ts'

/** The response to a valid request whose client prefers a certain one. What is not declared is rejected with the reason. */
export const preferredResponse = async (
  engine: Engine,
  context: Context,
  judged: JudgedRequest,
  preferences: ResponsePreferences,
  sent: (fit: Fit | null) => (root: SchemaPlace) => Json | undefined,
): Promise<MockResponse> => {
  const { operation } = judged
  const { code, problems } = preferences
  const compiled = compiledOperation(engine, operation)
  const all = code === null ? compiled.success : responseFor(operation, code)
  const declared =
    all === null ? null : preferablyAcceptable(engine, all, context.request, preferences.example)
  const wrong = problems.length > 0 ? problems : undeclared(operation, declared, engine.examples, preferences)
  if (all === null || declared === null || wrong.length > 0) {
    const reason = { code: errorCodes.preferenceWrong, messages: wrong }
    return reject(engine, operation, 'parameter', reason, context)
  }
  const status = code ?? 200
  const media = mediaOf(declared)
  const example =
    media === null || (preferences.dynamic && preferences.example === null)
      ? undefined
      : engine.examples.named(media.pointer, media.type, preferences.example)
  // An example that breaks its schema is not given, so it is not applied either.
  const applied = appliedPreferences(example === undefined ? { ...preferences, example: null } : preferences)
  const reason = {
    code: errorCodes.preferred,
    messages: [`the client asked for this response: Prefer: ${applied}`],
  }
  const failure = errorBody(reason, status, context.request.target)
  // The document's example of a failure says more than that the client asked for it.
  const fit = status < 300 ? fitOf(engine, compiled, all) : null
  const known = status < 400 ? sent(fit) : example === undefined ? failure : () => undefined
  const { request } = context
  const fittedTo = fit === null ? null : { fit, asked: askedOf(judged) }
  const spec = { declared, status, known, request, preferences, fittedTo }
  const response = await withVary(engine, all, buildResponse(engine, operation, spec))
  const whole = withChallenge(response, operation, null, engine.contract.title)
  return applied === '' ? whole : withHeader(whole, 'Preference-Applied', applied)
}

const undeclared = (
  operation: Operation,
  declared: DeclaredResponse | null,
  examples: Examples,
  { code, example }: ResponsePreferences,
): readonly string[] => {
  if (declared === null) {
    const statuses = operation.responses.map(({ status }) => status)
    return [`the preferred code ${code ?? 200} is not declared here; declared: ${listed(statuses)}`]
  }
  const names = exampleNames(examples, declared)
  if (example === null || names.includes(example)) return []
  return [
    `the preferred example ${JSON.stringify(example)} is not declared for ${declared.status}; declared: ${listed(names)}`,
  ]
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none'
