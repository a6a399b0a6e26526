import {
  extendCurl,
  headerPlaceholder,
  type RecordedRequest,
  type RunEvent,
  type Secret,
} from '../spec/index.ts'
import type { Access } from './transport/index.ts'

/**
 * What must be in no record: the token, the values of extra headers (gateways' keys come this way) and the proxy's
 * password.
 */
export const secretsOf = (token: string | null, { headers, proxy }: Access): readonly Secret[] => [
  ...(token === null ? [] : [token]),
  ...headers.map(([, value]) => ({ exact: value })),
  ...(proxy === null || proxy.password === '' ? [] : [{ exact: decodeURIComponent(proxy.password) }]),
]

/** What commands that repeat a request have to say beside the request. */
export type Extras = { readonly names: readonly string[]; readonly insecure: boolean }

export const extrasOf = ({ headers, insecure }: Access): Extras => ({
  names: headers.map(([name]) => name),
  insecure,
})

/** A request that tells which extra headers it had, with placeholders for their values. */
export const withExtra = (request: RecordedRequest, { names }: Pick<Extras, 'names'>): RecordedRequest => ({
  ...request,
  headers: [...request.headers, ...names.map(name => [name, headerPlaceholder] as const)],
})

/** The same of an event, and of its command. */
export const extended = (event: RunEvent, extras: Extras): RunEvent => {
  if (event.type !== 'exchange' && event.type !== 'finding') return event
  const request = withExtra(event.request, extras)
  return event.type === 'finding'
    ? { ...event, request, curl: extendCurl(event.curl, extras.names, extras.insecure) }
    : { ...event, request }
}
