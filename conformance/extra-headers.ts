import { extendCurl, headerPlaceholder, type RunEvent, type Secret } from '../spec/index.ts'
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

/** An event that tells which extra headers its request had, with placeholders for their values. */
export const extended = (event: RunEvent, { names, insecure }: Extras): RunEvent => {
  if (event.type !== 'exchange' && event.type !== 'finding') return event
  const added = names.map(name => [name, headerPlaceholder] as const)
  const request = { ...event.request, headers: [...event.request.headers, ...added] }
  return event.type === 'finding'
    ? { ...event, request, curl: extendCurl(event.curl, names, insecure) }
    : { ...event, request }
}
