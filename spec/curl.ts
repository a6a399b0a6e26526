import type { Request } from './exchange.ts'
import { shellToken } from './token.ts'

/** A shell command that sends the request again; the token comes from `$PLANTSTORE_TOKEN`. */
export const curlCommand = (request: Request, base: string): string => {
  const url = shellToken(`${base.replace(/\/$/, '')}${request.target}`)
  const headers = request.headers.map(
    ([name, value]) => `-H ${quote(shellToken(value === '' ? `${name};` : `${name}: ${value}`))}`,
  )
  // Without these, curl adds a header of its own.
  const bare =
    request.body !== null && !request.headers.some(([name]) => name.toLowerCase() === 'content-type')
      ? [`-H 'Content-Type:'`]
      : []
  const chunked = request.chunked ? [`-H 'Transfer-Encoding: chunked'`] : []
  return [
    ...bytesCommand(request.body),
    `curl -sS -i -X ${request.method} ${quote(url)}`,
    ...headers,
    ...bare,
    ...chunked,
    ...bodyArgument(request.body),
  ].join(' ')
}

const bodyArgument = (body: Uint8Array | null): readonly string[] =>
  body === null
    ? []
    : [isPlain(body) ? `--data-binary ${quote(Buffer.from(body).toString())}` : '--data-binary @-']

// Bytes that a shell argument cannot hold are made by base64 and read from standard input.
const bytesCommand = (body: Uint8Array | null): readonly string[] =>
  body === null || isPlain(body) ? [] : [`printf %s '${Buffer.from(body).toString('base64')}' | base64 -d |`]

const isPlain = (body: Uint8Array): boolean => {
  const text = Buffer.from(body).toString()
  return (
    Buffer.from(text).equals(body) &&
    !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text) &&
    text.length < 8000 &&
    !text.startsWith('@')
  )
}

/** Single quotes keep a shell from reading anything; double ones let it fill in the token. */
const quote = (text: string): string =>
  text.includes('PLANTSTORE_TOKEN')
    ? `"${text.replace(/["\\`]/g, '\\$&')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`
