import { curlCommand, type Headers, header, placeholder, redact } from '../../spec/index.ts'
import type { Entry } from '../journal.ts'
import type { Mask } from './secrets.ts'
import type { Copies, Written } from './shape.ts'

/** What a client adds by itself, or what is true of one connection only. */
const ownOfClients =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|keep-alive|expect|upgrade-insecure-requests|plantstore-mark|sec-.*)$/i

/** Source texts that send the request of an entry again; `hidden`: with a variable in the place of credentials. */
export const copiesOf = (
  mask: Mask,
  entry: Entry,
  origin: string,
  secrets: 'hidden' | 'revealed',
): Copies => {
  const { method, body } = entry
  if (method === '') return { why: 'what came was no HTTP request' }
  if (body !== null && entry.bodySize > body.length)
    return { why: `only ${body.length} of ${entry.bodySize} bytes of the body were kept` }
  const hides = secrets === 'hidden'
  const target = hides ? mask.target(entry.target) : entry.target
  const own = entry.headers.filter(([name]) => !ownOfClients.test(name))
  const headers = hides ? masked(mask, own) : own
  const chunked = header(entry.headers, 'transfer-encoding') !== null
  const content = hides ? maskedBody(mask, entry, body) : body
  const expected = hides ? maskedBody(mask, entry, entry.answerBody) : entry.answerBody
  const sent = { method, url: origin + target, headers, body: content }
  return {
    // A token in the body stands between single quotes.
    curl: curlCommand({ method, target, headers, body: content, chunked }, origin).replaceAll(
      placeholder('right'),
      `'"$PLANTSTORE_TOKEN"'`,
    ),
    fetch: fetchText(sent),
    playwright: playwrightText(sent, entry, expected),
  }
}

/** The request as the console's form takes it; null: its body is not there, or no text. */
export const writtenOf = (mask: Mask, entry: Entry): Written | null => {
  const { method, target, headers, body, bodySize } = entry
  const content = maskedBody(mask, entry, body)
  return method === '' || (body !== null && (body.length < bodySize || !isText(body)))
    ? null
    : {
        target: mask.target(target),
        headers: masked(
          mask,
          headers.filter(([name]) => !ownOfClients.test(name)),
        ),
        body: content === null ? null : textOf(content),
      }
}

/** Clients may send a secret in a body as well, and get it back. */
const maskedBody = <T extends Uint8Array | null>(mask: Mask, { target, headers }: Entry, body: T): T => {
  if (body === null || !isText(body)) return body
  const secrets = mask.secretsOf(target, headers).map(secret => ({ exact: secret }))
  return Buffer.from(redact(textOf(body), secrets)) as Uint8Array as T
}

const masked = (mask: Mask, headers: Headers): Headers =>
  headers.flatMap(([name, value]): Headers => {
    const kept = name.toLowerCase() === 'cookie' ? declaredCookies(mask, value) : value
    return kept === '' && value !== '' ? [] : [[name, mask.header(name, kept)]]
  })

// A page has cookies of other applications as well; the mock makes nothing of them.
const declaredCookies = (mask: Mask, value: string): string =>
  value
    .split(/;\s*/)
    .filter(pair => mask.isDeclaredCookie(pair.split('=')[0] ?? ''))
    .join('; ')

type Sent = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

const fetchText = (sent: Sent): string => {
  const { method, url, headers, body } = sent
  return [
    ...(usesToken(sent) ? [`const token = ${fromEnvironment}`] : []),
    `const response = await fetch(${literal(url)}, {`,
    `  method: ${literal(method)},`,
    ...headerLines(headers),
    ...(body === null ? [] : [`  body: ${isText(body) ? literal(textOf(body)) : bytes(body)},`]),
    `})`,
    `console.log(response.status, await response.text())`,
    '',
  ].join('\n')
}

const playwrightText = (sent: Sent, { status, target, answerSize }: Entry, expected: Uint8Array): string => {
  const { method, url, headers, body } = sent
  const path = target.split('?')[0] ?? ''
  return [
    `import { expect, test } from '@playwright/test'`,
    '',
    `test(${literal(`${method} ${path} is answered by ${status}`)}, async ({ request }) => {`,
    ...(usesToken(sent) || textOf(expected).includes('{{token')
      ? [`  const token = ${fromEnvironment}`]
      : []),
    `  const response = await request.fetch(${literal(url)}, {`,
    `    method: ${literal(method)},`,
    ...headerLines(headers).map(line => `  ${line}`),
    // Of text that is not JSON it would make a JSON string.
    ...(body === null
      ? []
      : [`    data: Buffer.from(${isText(body) ? literal(textOf(body)) : `'${base64(body)}', 'base64'`}),`]),
    `  })`,
    `  expect(response.status()).toBe(${status})`,
    ...(answerSize > 0 && answerSize <= mostExpected && isText(expected)
      ? [`  expect(await response.text()).toBe(${literal(textOf(expected))})`]
      : []),
    `})`,
    '',
  ].join('\n')
}

const mostExpected = 4000

// Read where the copy is run, not here.
const fromEnvironment = ['process', 'env', 'PLANTSTORE_TOKEN'].join('.')

const usesToken = ({ url, headers, body }: Sent): boolean =>
  [url, ...headers.map(([, value]) => value), textOf(body ?? new Uint8Array())].some(text =>
    text.includes('{{token'),
  )

const headerLines = (headers: Headers): readonly string[] => {
  if (headers.length === 0) return []
  const joined = new Map<string, { readonly name: string; readonly value: string }>()
  for (const [name, value] of headers) {
    const first = joined.get(name.toLowerCase())
    joined.set(
      name.toLowerCase(),
      first === undefined ? { name, value } : { name: first.name, value: `${first.value}, ${value}` },
    )
  }
  const lines = [...joined.values()].map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`)
  return ['  headers: {', ...lines, '  },']
}

// Control characters, halves of characters, and those that turn the direction of text.
const notPlain = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu
const filled = (name: string): string => `${'$'}{${name}}`

/** A string of JavaScript; a template where it holds a placeholder of the token. */
const literal = (text: string): string => {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(notPlain, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (!text.includes('{{token')) return `'${escaped.replaceAll("'", "\\'")}'`
  const template = escaped.replaceAll('`', '\\`').replaceAll('$', '\\$')
  return `\`${template.replaceAll('{{token:basic}}', filled('btoa(token)')).replaceAll('{{token}}', filled('token'))}\``
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString()
const isText = (body: Uint8Array): boolean => Buffer.from(textOf(body)).equals(body)
const base64 = (body: Uint8Array): string => Buffer.from(body).toString('base64')
const bytes = (body: Uint8Array): string =>
  `Uint8Array.from(atob('${base64(body)}'), char => char.charCodeAt(0))`
