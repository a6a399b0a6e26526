/** Where a request says which URL its callbacks go to. */
import { type Callback, setAt } from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'

export type CallbackPlace =
  | { readonly in: 'body'; readonly pointer: string }
  | { readonly in: 'query' | 'header'; readonly name: string }

/** The place that an expression takes the URL from, or why no client decides what it is. */
export const placeOf = ({ url }: Callback): CallbackPlace | { readonly reason: string } => {
  const [, embedded, alone] = /^(?:\{(\$[^{}]+)\}|(\$.+$))/s.exec(url) ?? []
  const expression = embedded ?? alone
  if (expression === undefined) return { reason: `it is sent to ${url}, which no request decides` }
  const [, pointer, part, name = ''] =
    /^\$request\.(?:body(#.*)?|(query|header)\.(.+))$/s.exec(expression) ?? []
  if (part === 'query' || part === 'header') return { in: part, name }
  if (!expression.startsWith('$request.body'))
    return { reason: `its URL is ${expression}, which is not for the client to choose` }
  return { in: 'body', pointer: decodeURIComponent((pointer ?? '').slice(1)) }
}

/** The request with another URL for callbacks; null if it has no such place. */
export const withCallbackUrl = (
  { parameters }: OperationModel,
  spec: RequestSpec,
  place: CallbackPlace,
  url: string,
): RequestSpec | null => {
  if (place.in === 'body')
    return spec.body === undefined ? null : { ...spec, body: setAt(spec.body, place.pointer, url) }
  const is = (name: string): boolean =>
    place.in === 'header' ? name.toLowerCase() === place.name.toLowerCase() : name === place.name
  const declared = parameters.find(({ parameter }) => parameter.in === place.in && is(parameter.name))
  if (declared === undefined) return null
  return { ...spec, parameters: { ...spec.parameters, [declared.parameter.name]: url } }
}
