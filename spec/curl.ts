import type { Request } from './exchange.ts'
import { extendRawCommand, rawCommand } from './raw.ts'
import { shellToken } from './token.ts'

/** A shell command that sends the request again; the token comes from `$PLANTSTORE_TOKEN`. */
export const curlCommand = (request: Request, base: string): string => {
  if (request.raw !== undefined) return rawCommand(request.raw, base)
  const url = `${base.replace(/\/$/, '')}${request.target}`
  const given = (name: string): boolean => request.headers.some(([key]) => key.toLowerCase() === name)
  return [
    ...bytesCommand(request.body),
    // curl waits for the body of an answer to `-X HEAD`, which has none.
    `curl -sS -i ${request.method === 'HEAD' ? '--head' : `-X ${request.method}`}`,
    ...(/[[\]{}]/.test(url.replace(/\{\{token[a-z:-]*\}\}/g, '')) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(\/|\?|$)/.test(url) ? ['--path-as-is'] : []),
    quoteWithToken(url),
    ...request.headers.map(
      ([name, value]) => `-H ${quoteWithToken(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    // Without these, curl adds headers of its own.
    ...(given('accept') ? [] : [`-H 'Accept:'`]),
    ...(request.body === null || given('content-type') ? [] : [`-H 'Content-Type:'`]),
    ...(request.chunked ? [`-H 'Transfer-Encoding: chunked'`] : []),
    ...bodyArgument(request.body),
  ].join(' ')
}

/**
 * The same command with headers that the caller adds to every request: their values come from the environment, that of
 * `X-Key` from `$X_KEY`. `insecure`: with certificates that cannot be trusted.
 */
export const extendCurl = (command: string, names: readonly string[], insecure: boolean): string =>
  / \| (?:nc|openssl) [^|]*$/.test(command)
    ? extendRawCommand(command, names.map(extraHeader))
    : [command, ...(insecure ? ['--insecure'] : []), ...names.map(name => `-H ${extraHeader(name)}`)].join(
        ' ',
      )

const extraHeader = (name: string): string =>
  `"${name}: $${name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_')}"`

const bodyArgument = (body: Uint8Array | null): readonly string[] =>
  body === null
    ? []
    : [isPlain(body) ? `--data-binary ${quote(Buffer.from(body).toString())}` : '--data-binary @-']

// Bytes that a shell argument cannot hold are made by base64 and read from standard input.
const bytesCommand = (body: Uint8Array | null): readonly string[] =>
  body === null || isPlain(body) ? [] : [`printf %s '${Buffer.from(body).toString('base64')}' | base64 -d |`]

// Control characters and those that turn the direction of text would let a command look like another.
const notPlain = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

const isPlain = (body: Uint8Array): boolean => {
  const text = Buffer.from(body).toString()
  return Buffer.from(text).equals(body) && !notPlain.test(text) && text.length < 8000 && !text.startsWith('@')
}

/** Single quotes keep a shell from reading anything. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

// Header values are bytes on the wire, one for each character.
const quoteBytes = (text: string): string =>
  /[\u0080-\u00ff]/.test(text)
    ? `$'${text.replace(/['\\]/g, '\\$&').replace(/[\u0080-\u00ff]/g, char => `\\x${char.charCodeAt(0).toString(16)}`)}'`
    : quote(text)

/** Text with placeholders of the token; double quotes let the shell fill it in. */
const quoteWithToken = (text: string): string => {
  const parts = text.split(/(\{\{token(?::[a-z-]+)?\}\})/)
  if (parts.length === 1) return quoteBytes(text)
  // Where nothing else means anything in double quotes, one pair of them reads best.
  if (parts.every((part, index) => index % 2 === 1 || !/["\\`$!\u0080-\u00ff]/.test(part)))
    return `"${shellToken(text)}"`
  return parts
    .map((part, index) => (index % 2 === 1 ? `"${shellToken(part)}"` : part === '' ? '' : quoteBytes(part)))
    .join('')
}
