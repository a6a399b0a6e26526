/** What no record of a run may hold, and what stands in its place. */
import {
  extendCurl,
  headerPlaceholder,
  type RecordedRequest,
  type RunEvent,
  redact,
  type Secret,
} from '../../spec/index.ts'
import type { Access } from '../options/access.ts'

/** The token, the values of extra headers (keys of gateways come this way) and the password of the proxy. */
export const secretsOf = (token: string | null, { headers, proxy }: Access): readonly Secret[] => [
  ...(token === null ? [] : [token]),
  ...headers.map(([, value]) => ({ exact: value })),
  ...(proxy === null || proxy.password === '' ? [] : [{ exact: decodeURIComponent(proxy.password) }]),
]

/** Takes secrets out of what a server may have sent back. Ids and clauses are our own words. */
export const withoutSecrets = (event: RunEvent, secrets: readonly Secret[]): RunEvent => {
  switch (event.type) {
    case 'finding':
      return {
        ...event,
        title: redact(event.title, secrets),
        expected: redact(event.expected, secrets),
        actual: redact(event.actual, secrets),
      }
    case 'verdict':
      return event.verdict.kind === 'observed'
        ? { ...event, verdict: { ...event.verdict, observation: redact(event.verdict.observation, secrets) } }
        : event
    case 'end':
      return { ...event, reason: event.reason === null ? null : redact(event.reason, secrets) }
    default:
      return event
  }
}

/** What a run adds to each request and command: the names of extra headers, and that certificates are not verified. */
export type Additions = { readonly headers: readonly string[]; readonly insecure: boolean }

export const additionsOf = ({ headers, insecure }: Access): Additions => ({
  headers: headers.map(([name]) => name),
  insecure,
})

/** A request that names the extra headers it had, with placeholders for their values. */
export const withExtraHeaders = (request: RecordedRequest, { headers }: Additions): RecordedRequest => ({
  ...request,
  headers: [...request.headers, ...headers.map(name => [name, headerPlaceholder] as const)],
})

/** The event with these additions in its request and its command. */
export const withAdditions = (event: RunEvent, additions: Additions): RunEvent => {
  if (event.type !== 'exchange' && event.type !== 'finding') return event
  const request = withExtraHeaders(event.request, additions)
  const { steps: before } = event
  const steps = before?.map(step => ({ ...step, request: withExtraHeaders(step.request, additions) }))
  const extended = { ...event, request, ...(steps === undefined ? {} : { steps }) }
  return extended.type === 'finding'
    ? { ...extended, curl: extendScript(extended.curl, additions) }
    : extended
}

/** Each command of a script with the additions. */
const extendScript = (script: string, { headers, insecure }: Additions): string =>
  script
    // A body may have lines as well.
    .split(/\n(?=curl |ID\d+=|printf |\{ )/)
    .map(line => {
      const [, variable, command, reader] = /^(ID\d+=\$\()(?=.*\)$)(.*)( \| sed .*)$/.exec(line) ?? []
      return command === undefined
        ? extendCurl(line, headers, insecure)
        : `${variable}${extendCurl(command, headers, insecure)}${reader}`
    })
    .join('\n')
