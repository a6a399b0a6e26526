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

/** A request that tells which extra headers it had, with placeholders for their values. */
export const withExtra = (request: RecordedRequest, { headers }: Access): RecordedRequest => ({
  ...request,
  headers: [...request.headers, ...headers.map(([name]) => [name, headerPlaceholder] as const)],
})

/** The same of an event, and of its command. */
export const extended = (event: RunEvent, access: Access): RunEvent => {
  if (event.type !== 'exchange' && event.type !== 'finding') return event
  const request = withExtra(event.request, access)
  const names = access.headers.map(([name]) => name)
  return event.type === 'finding'
    ? { ...event, request, curl: extendCurl(event.curl, names, access.insecure) }
    : { ...event, request }
}
