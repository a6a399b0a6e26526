import { bytesOf, utf8Text } from '../text/latin1.ts'
import { partsOf } from './credential-placeholders.ts'
import { announcesNoContent, type HttpRequest, header } from './exchange.ts'
import { boundaryOf, type FormPart, readMultipart, writeMultipart } from './multipart.ts'
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

/**
 * The parts of `multipart/form-data` as people send them with curl, which makes its own boundary. `input`: the command whose output is
 * the one file. Null of what curl would write otherwise: any other Content-Type, other bytes, several files.
 */
const formOf = ({
  headers,
  body,
}: HttpRequest): { readonly input: readonly string[]; readonly fields: readonly string[] } | null => {
  const contentType = header(headers, 'content-type')
  const boundary = boundaryOf(contentType)
  if (body === null || boundary === null || contentType !== `multipart/form-data; boundary=${boundary}`)
    return null
  const reading = readMultipart(body, contentType)
  if (!reading.ok || reading.parts.length === 0) return null
  const { parts } = reading
  if (!Buffer.from(writeMultipart(parts, boundary).body).equals(body)) return null
  const fields = parts.map(fieldOf)
  const input = parts.filter(({ filename }) => filename !== null).map(({ content }) => inputOf(content))
  return input.length > 1 || fields.includes(null)
    ? null
    : { input, fields: fields.filter(field => field !== null) }
}

/** The arguments for one part; null if curl cannot write it like this: it gives each file a Content-Type. */
const fieldOf = ({ name, filename, contentType, headers, content }: FormPart): string | null => {
  const text = utf8Text(bytesOf(content))
  if (!/^[^\s=;"\\@<]+$/.test(name) || notPlain.test(name)) return null
  const more = [
    ...(filename === null ? [] : [`filename=${inQuotes(filename)}`]),
    ...(contentType === null ? [] : [`type=${contentType}`]),
    ...headers.map(([field, value]) => `headers=${inQuotes(`${field}: ${value}`)}`),
  ]
  if (filename !== null)
    return contentType === null ||
      [filename, ...more].some(each => notPlain.test(each)) ||
      /["\\]/.test(filename)
      ? null
      : `-F ${quoteBody([`${name}=@-`, ...more].join(';'))}`
  if (text === null || notPlain.test(text) || text.length > longestText) return null
  if (more.length === 0) return `--form-string ${quoteBody(`${name}=${text}`)}`
  return more.some(each => notPlain.test(each)) || contentType === null || /[\r\n]/.test(text)
    ? null
    : `-F ${quoteBody([`${name}=${inQuotes(text)}`, ...more].join(';'))}`
}

const longestText = 1500

/** As curl reads it within the value of -F. */
const inQuotes = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const inputOf = (content: string): string => {
  const body = bytesOf(content)
  return bytesCommand(body)[0] ?? `printf %s ${quoteBody(utf8Text(body) ?? '')} |`
}

/** The argument for a body of any bytes. */
const bodyArgument = (body: Uint8Array | null): readonly string[] =>
  body === null
    ? []
    : [isPlain(body) ? `--data-binary ${quoteBody(Buffer.from(body).toString())}` : '--data-binary @-']

const quoteBody = (text: string): string =>
  partsOf(text)
    .map((part, index) => (index % 2 === 1 ? `"${shellToken(part)}"` : quote(part)))
    .join('')

// Bytes that cannot be a shell argument come through standard input: in parts if they repeat themselves, else from base64.
const bytesCommand = (body: Uint8Array | null): readonly string[] =>
  body === null || isPlain(body)
    ? []
    : [repeatedCommand(body) ?? `printf %s '${Buffer.from(body).toString('base64')}' | base64 -d |`]

/** A few characters, 50 times and more; `yes` would take a hyphen for an option. */
const repeated = /([^\n-][^\n]{0,7}?)\1{49,}/g

const longestCommand = 1000

const repeatedCommand = (body: Uint8Array): string | null => {
  const text = Buffer.from(body).toString()
  if (notPlain.test(text) || !Buffer.from(text).equals(body)) return null
  const parts: string[] = []
  let end = 0
  for (const { 0: run, 1: unit = '', index } of text.matchAll(repeated)) {
    if (index > end) parts.push(`printf %s ${quoteBody(text.slice(end, index))}`)
    parts.push(`yes ${quote(unit)} | head -n ${run.length / unit.length} | tr -d '\\n'`)
    end = index + run.length
  }
  if (end < text.length) parts.push(`printf %s ${quoteBody(text.slice(end))}`)
  const command = `{ ${parts.join('; ')}; } |`
  return command.length <= longestCommand ? command : null
}

// With control characters, or those that change the direction of text, a command could look like another one.
const notPlain = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

const isPlain = (body: Uint8Array): boolean => {
  const text = Buffer.from(body).toString()
  return Buffer.from(text).equals(body) && !notPlain.test(text) && text.length < 1500 && !text.startsWith('@')
}

/** In single quotes, a shell expands nothing. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
