import {
  evaluated,
  type FlowStep,
  isObject,
  type Json,
  type Known,
  mediaType,
  parentOf,
  parseJson,
  placesOfPath,
  setAt,
  steps,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { absentCredentials, renderRequest } from '../cases/render.ts'
import { otherSpellings } from '../pool/bound-spec.ts'
import type { Maker } from '../state/creator.ts'

/** A request of a step, and the names of what in it earlier steps gave: of parameters, and of properties of the body. */
export type StepRequest = { readonly testCase: TestCase; readonly learned: ReadonlySet<string> }

/**
 * The request of a step: what it says, and for what it leaves out a valid value if the document requires one. Expressions without a value are put
 * into `unset`. Null if the operation takes no request that can be made.
 */
export const requestOfStep = (
  { model, sender, valid }: Maker,
  step: FlowStep,
  known: Known,
  unset: string[],
  isTokenKnown: boolean,
): StepRequest | null => {
  if (valid === undefined) return null
  const plain = sender.validCase(valid, 'plain')
  const { operation } = model
  const parameters: Record<string, Json> = {}
  for (const { parameter } of model.parameters) {
    const value = plain.spec.parameters[parameter.name]
    if (parameter.required && value !== undefined) parameters[parameter.name] = value
  }
  const extra: RequestSpec['extra'][number][] = []
  const credentials: (readonly [string, string])[] = []
  for (const { name, in: place, value: written } of step.parameters) {
    const value = evaluated(written, known, unset)
    if (value === undefined) continue
    const declared = model.parameters.find(
      ({ parameter }) => parameter.name === name && (place === null || parameter.in === place),
    )
    if (declared !== undefined)
      parameters[name] = [value, ...otherSpellings(value), String(value)].find(declared.isValid) ?? value
    else if (place === 'header' && name.toLowerCase() === 'authorization')
      credentials.push([name, text(value)])
    else if (place === 'querystring')
      for (const [key, each] of new URLSearchParams(text(value)))
        extra.push({ in: 'query', name: key, value: each })
    else if (place === 'query' || place === 'header' || place === 'cookie')
      extra.push({ in: place, name, value: text(value) })
  }
  const body = bodyOf(model, plain.spec, step, known, unset)
  const other =
    body === undefined ? null : inOtherType(step.body?.contentType ?? null, plain.spec.contentType, body)
  const spec: RequestSpec = {
    ...plain.spec,
    parameters,
    // A made-up token is no part of a workflow.
    credentials: isTokenKnown ? null : absentCredentials(operation),
    extra: [...plain.spec.extra, ...extra],
    body,
    encoding: body === undefined ? { kind: 'absent' } : (other ?? { kind: 'json' }),
    contentType:
      body === undefined ? null : other === null ? plain.spec.contentType : (step.body?.contentType ?? null),
    renewable: step.body === null && plain.spec.renewable,
  }
  const request = renderRequest(operation, spec)
  // The credentials that a step names are sent in place of those of the run.
  const headers =
    credentials.length === 0
      ? request.headers
      : [...request.headers.filter(([name]) => name.toLowerCase() !== 'authorization'), ...credentials]
  return {
    testCase: { ...plain, spec, request: { ...request, headers }, precondition: 'none', isHelp: true },
    learned: learnedIn(step),
  }
}

/** A body of another type than that of the document, or one that is written out, as text; null for any other. */
const inOtherType = (
  asked: string | null,
  declared: string | null,
  body: Json,
): RequestSpec['encoding'] | null => {
  if (asked === null) return null
  const isWritten = typeof body === 'string' && !/json/i.test(asked)
  if (mediaType(asked) === mediaType(declared ?? '') && !isWritten) return null
  const isForm = mediaType(asked) === 'application/x-www-form-urlencoded' && isObject(body)
  const fields = isForm
    ? Object.entries(body).map(([name, value]) => [name, text(value)] as [string, string])
    : []
  return { kind: 'text', text: isForm ? String(new URLSearchParams(fields)) : text(body) }
}

/** Names whose values come from earlier steps. */
const learnedIn = ({ parameters, body }: FlowStep): ReadonlySet<string> => {
  const payload = body?.payload
  const values: readonly (readonly [string, Json])[] = [
    ...parameters.map(({ name, value }) => [name, value] as const),
    ...(isObject(payload) ? Object.entries(payload) : []),
    ...(body?.replacements ?? []).map(({ target, value }) => [steps(target)[0] ?? '', value] as const),
  ]
  return new Set(values.flatMap(([name, value]) => (JSON.stringify(value).includes('$') ? [name] : [])))
}

const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A payload that is a text may be written as JSON. Without one, a body that the document requires is made up. */
const bodyOf = (
  { operation }: OperationModel,
  plain: RequestSpec,
  { body }: FlowStep,
  known: Known,
  unset: string[],
): Json | undefined => {
  if (body === null) return operation.body?.required === true ? plain.body : undefined
  const payload = body.payload === undefined ? plain.body : evaluated(body.payload, known, unset)
  const value =
    typeof payload === 'string' &&
    /json/i.test(body.contentType ?? plain.contentType ?? '') &&
    /^\s*[[{]/.test(payload)
      ? readable(payload)
      : payload
  return body.replacements.reduce<Json | undefined>((whole, { target, isPath, value: written }) => {
    const replacement = evaluated(written, known, unset)
    if (!isPath) return replacedAt(whole, target, replacement)
    return whole === undefined
      ? whole
      : placesOfPath(target, whole).reduce<Json | undefined>(
          (changed, place) => replacedAt(changed, place, replacement),
          whole,
        )
  }, value)
}

const replacedAt = (whole: Json | undefined, place: string, value: Json | undefined): Json | undefined => {
  if (place === '') return value
  const isThere = whole !== undefined && isObject(valueAt(whole, parentOf(place)) as Json | undefined)
  return whole === undefined || (!isThere && valueAt(whole, place) === undefined)
    ? whole
    : setAt(whole, place, value)
}

const readable = (payload: string): Json => {
  try {
    return parseJson(payload)
  } catch {
    return payload
  }
}
