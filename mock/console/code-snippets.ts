import { curlCommand, type Headers, header, placeholder, redact } from '../../spec/index.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import type { CodeSnippets, EditableRequest } from './messages.ts'
import type { Mask } from './secrets.ts'

/** Headers that every client adds for itself, or that concern one connection only. */
const clientHeaders =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|keep-alive|expect|upgrade-insecure-requests|plantstore-mark|sec-.*)$/i

/** Source code that sends an entry's request again; `masked`: reads the credentials from an environment variable. */
export const snippetsOf = (
  mask: Mask,
  entry: Entry,
  origin: string,
  credentials: 'masked' | 'revealed',
): CodeSnippets => {
  const { method, body } = entry
  if (method === '') return { reason: 'it is not an HTTP request' }
  if (body !== null && entry.bodySize > body.length)
    return { reason: `only ${body.length} of ${entry.bodySize} bytes of the body were kept` }
  const isMasked = credentials === 'masked'
  const target = isMasked ? mask.target(entry.target) : entry.target
  const relevant = relevantHeaders(entry)
  const headers = isMasked ? maskedHeaders(mask, relevant) : relevant
  const chunked = header(entry.headers, 'transfer-encoding') !== null
  const content = isMasked ? maskedBody(mask, entry, body) : body
  const expected = isMasked ? maskedBody(mask, entry, entry.responseBody) : entry.responseBody
  const request = { method, url: origin + target, headers, body: content }
  return {
    // In the body, the token stands between single quotes.
    curl: curlCommand({ method, target, headers, body: content, chunked }, origin).replaceAll(
      placeholder('right'),
      `'"$PLANTSTORE_TOKEN"'`,
    ),
    fetch: fetchSnippet(request),
    playwright: playwrightSnippet(request, entry, expected),
  }
}

/** The request as the console's form takes it; null: its body is incomplete, or not text. */
export const editableRequestOf = (mask: Mask, entry: Entry): Omit<EditableRequest, 'fields'> | null => {
  const { method, target, body, bodySize } = entry
  if (method === '' || (body !== null && (body.length < bodySize || !isText(body)))) return null
  const content = maskedBody(mask, entry, body)
  return {
    target: mask.target(target),
    headers: maskedHeaders(mask, relevantHeaders(entry)),
    body: content === null ? null : textOf(content),
  }
}

const relevantHeaders = ({ headers }: Entry): Headers => headers.filter(([name]) => !clientHeaders.test(name))

/** Clients may repeat a secret in the body, and get it back in the response. */
const maskedBody = <T extends Uint8Array | null>(mask: Mask, { target, headers }: Entry, body: T): T => {
  if (body === null || !isText(body)) return body
  const secrets = mask.secretsOf(target, headers).map(secret => ({ exact: secret }))
  return Buffer.from(redact(textOf(body), secrets)) as Uint8Array as T
}

const maskedHeaders = (mask: Mask, headers: Headers): Headers =>
  headers.flatMap(([name, value]): Headers => {
    const kept = name.toLowerCase() === 'cookie' ? declaredCookies(mask, value) : value
    return kept === '' && value !== '' ? [] : [[name, mask.header(name, kept)]]
  })

// Browsers also send cookies of other applications on the same host; the mock ignores those.
const declaredCookies = (mask: Mask, value: string): string =>
  value
    .split(/;\s*/)
    .filter(pair => mask.isDeclaredCookie(pair.split('=')[0] ?? ''))
    .join('; ')

type SnippetRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

const fetchSnippet = (request: SnippetRequest): string => {
  const { method, url, headers, body } = request
  return [
    ...(usesToken(request) ? [`const token = ${tokenVariable}`] : []),
    `const response = await fetch(${literal(url)}, {`,
    `  method: ${literal(method)},`,
    ...headerLines(headers),
    ...(body === null ? [] : [`  body: ${isText(body) ? literal(textOf(body)) : byteArray(body)},`]),
    `})`,
    `console.log(response.status, await response.text())`,
    '',
  ].join('\n')
}

const playwrightSnippet = (
  request: SnippetRequest,
  { status, target, responseSize }: Entry,
  expected: Uint8Array,
): string => {
  const { method, url, headers, body } = request
  const path = target.split('?')[0] ?? ''
  return [
    `import { expect, test } from '@playwright/test'`,
    '',
    `test(${literal(`${method} ${path} responds with ${status}`)}, async ({ request }) => {`,
    ...(usesToken(request) || textOf(expected).includes('{{token')
      ? [`  const token = ${tokenVariable}`]
      : []),
    `  const response = await request.fetch(${literal(url)}, {`,
    `    method: ${literal(method)},`,
    ...headerLines(headers).map(line => `  ${line}`),
    // Playwright would turn text that is not JSON into a JSON string.
    ...(body === null
      ? []
      : [`    data: Buffer.from(${isText(body) ? literal(textOf(body)) : `'${base64(body)}', 'base64'`}),`]),
    `  })`,
    `  expect(response.status()).toBe(${status})`,
    ...(responseSize > 0 && responseSize <= mostExpectedBytes && isText(expected)
      ? [`  expect(await response.text()).toBe(${literal(textOf(expected))})`]
      : []),
    `})`,
    '',
  ].join('\n')
}

const mostExpectedBytes = 4000

// Spelled in pieces: the snippet reads it where it runs, and this file may not read the environment.
const tokenVariable = ['process', 'env', 'PLANTSTORE_TOKEN'].join('.')

const usesToken = ({ url, headers, body }: SnippetRequest): boolean =>
  [url, ...headers.map(([, value]) => value), textOf(body ?? new Uint8Array())].some(text =>
    text.includes('{{token'),
  )

const headerLines = (headers: Headers): readonly string[] => {
  if (headers.length === 0) return []
  const joined = new Map<string, { readonly name: string; readonly value: string }>()
  for (const [name, value] of headers) {
    const earlier = joined.get(name.toLowerCase())
    joined.set(
      name.toLowerCase(),
      earlier === undefined ? { name, value } : { name: earlier.name, value: `${earlier.value}, ${value}` },
    )
  }
  const lines = [...joined.values()].map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`)
  return ['  headers: {', ...lines, '  },']
}

// Control characters, lone surrogates, and characters that change the direction of text.
const unsafeCharacters = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu
const interpolation = (name: string): string => `${'$'}{${name}}`

/** A JavaScript string literal; a template literal if the text contains a placeholder for the token. */
const literal = (text: string): string => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(unsafeCharacters, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (!text.includes('{{token')) return `'${escaped.replaceAll("'", "\\'")}'`
  const template = escaped.replaceAll('`', '\\`').replaceAll('$', '\\$')
  return `\`${template.replaceAll('{{token:basic}}', interpolation('btoa(token)')).replaceAll('{{token}}', interpolation('token'))}\``
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString()
const isText = (body: Uint8Array): boolean => Buffer.from(textOf(body)).equals(body)
const base64 = (body: Uint8Array): string => Buffer.from(body).toString('base64')
const byteArray = (body: Uint8Array): string =>
  `Uint8Array.from(atob('${base64(body)}'), char => char.charCodeAt(0))`
