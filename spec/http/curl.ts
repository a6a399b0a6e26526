import { partsOf } from './credential-placeholders.ts'
import { bodyArgument, bytesCommand, formOf, quote } from './curl-body.ts'
import { announcesNoContent, type HttpRequest } from './exchange.ts'
import { extendRawCommand, rawCommand } from './raw.ts'
import { shellToken } from './shell-secrets.ts'

/** A shell command that sends the request again, with the token from `$PLANTSTORE_TOKEN`. */
export const curlCommand = (request: HttpRequest, base: string): string => {
  if (request.raw !== undefined) return rawCommand(request.raw, base)
  const url = `${base.replace(/\/$/, '')}${request.target}`
  const form = formOf(request)
  const headers = form === null ? request.headers : request.headers.filter(([key]) => !isContentType(key))
  const has = (name: string): boolean => request.headers.some(([key]) => key.toLowerCase() === name)
  return [
    ...(form === null ? bytesCommand(request.body) : form.input),
    // With `-X HEAD`, curl would wait for a body.
    `curl -sS -i ${request.method === 'HEAD' ? '--head' : `-X ${request.method}`}`,
    ...(/[[\]{}]/.test(url.replace(/\{\{token[^{}]*\}\}/g, '')) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(\/|\?|$)/.test(url) ? ['--path-as-is'] : []),
    quoteWithToken(url),
    ...headers.map(
      ([name, value]) => `-H ${quoteWithToken(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    // curl adds these headers unless they are removed.
    ...(has('accept') ? [] : [`-H 'Accept:'`]),
    ...(request.body === null || has('content-type') ? [] : [`-H 'Content-Type:'`]),
    ...(announcesNoContent(request) ? [`-H 'Content-Length: 0'`] : []),
    ...(request.chunked ? [`-H 'Transfer-Encoding: chunked'`] : []),
    ...(form === null ? bodyArgument(request.body) : form.fields),
  ].join(' ')
}

const isContentType = (name: string): boolean => name.toLowerCase() === 'content-type'

/**
 * The same command with the headers that the caller adds to every request; their values come from environment variables
 * (`X-Key` from `$X_KEY`). `insecure`: do not verify the certificate.
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

// Header values are sent as bytes, one for each character.
const quoteBytes = (text: string): string =>
  /[\u0080-\u00ff]/.test(text)
    ? `$'${text.replace(/['\\]/g, '\\$&').replace(/[\u0080-\u00ff]/g, char => `\\x${char.charCodeAt(0).toString(16)}`)}'`
    : quote(text)

/** Text with placeholders: in double quotes, so that the shell fills in the token. */
const quoteWithToken = (text: string): string => {
  const parts = partsOf(text)
  if (parts.length === 1) return quoteBytes(text)
  // If the rest has no special meaning in double quotes, one pair reads best.
  if (parts.every((part, index) => index % 2 === 1 || !/["\\`$!\u0080-\u00ff]/.test(part)))
    return `"${shellToken(text)}"`
  return parts
    .map((part, index) => (index % 2 === 1 ? `"${shellToken(part)}"` : part === '' ? '' : quoteBytes(part)))
    .join('')
}
