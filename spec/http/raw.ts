import { fillToken, partsOf, type SecretOf } from './credential-placeholders.ts'
import type { Headers, RawRequest } from './exchange.ts'
import { shellToken } from './shell-secrets.ts'

/** The placeholder for the header lines that the caller adds to every request. */
const extraLines = '{{extra}}'

export const rawPlaceholders = {
  host: '{{host}}',
  /** `http://store.test:8080` */
  origin: '{{origin}}',
  /** The path of the base URL. */
  base: '{{base}}',
  extra: extraLines,
} as const

/** The bytes to send. */
export const fillRaw = (text: string, base: URL, token: string | SecretOf, extra: Headers): string =>
  fillToken(text, token)
    .replaceAll(rawPlaceholders.host, base.host)
    .replaceAll(rawPlaceholders.origin, base.origin)
    .replaceAll(rawPlaceholders.base, base.pathname.replace(/\/$/, ''))
    .replaceAll(extraLines, extra.map(([name, value]) => `${name}: ${value}\r\n`).join(''))

/** A shell command that sends the bytes again, with the token from `$PLANTSTORE_TOKEN`. */
export const rawCommand = ({ pieces, pauseMs, end }: RawRequest, target: string): string => {
  const base = new URL(target)
  const secure = base.protocol === 'https:'
  const port = base.port || (secure ? '443' : '80')
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const prints = pieces.map(piece => `printf '${printed(withoutSender(piece, base))}'`)
  const [only] = prints
  const sender = prints.length === 1 ? only : `{ ${prints.join(`; sleep ${(pauseMs ?? 1000) / 1000}; `)}; }`
  return secure
    ? `${sender} | openssl s_client -quiet -connect ${base.hostname}:${port}`
    : `${sender} | nc ${end === 'now' ? '-N ' : ''}${host} ${port}`
}

/** The same command with the header lines that the caller adds; their values come from environment variables. */
export const extendRawCommand = (command: string, lines: readonly string[]): string =>
  command.replaceAll(extraLines, lines.map(line => `'${line}'\\r\\n`).join(''))

const withoutSender = (piece: string, base: URL): string =>
  piece
    .replaceAll(rawPlaceholders.host, base.host)
    .replaceAll(rawPlaceholders.origin, base.origin)
    .replaceAll(rawPlaceholders.base, base.pathname.replace(/\/$/, ''))

/** A long run of one character, which the shell repeats itself. */
const run = /([\x21-\x7e])\1{99,}/g

/** As an argument of printf in single quotes. */
const printed = (text: string): string => {
  const escaped = text.replace(/[^\x20-\x7e]|['\\%]/g, octal)
  const short = escaped.replace(
    run,
    (all, char: string) => `'"$(head -c ${all.length} /dev/zero | tr '\\0' '${char}')"'`,
  )
  return partsOf(short)
    .map((part, index) => (index % 2 === 1 ? `'"${shellToken(part)}"'` : part))
    .join('')
}

const named: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\\': '\\\\', '%': '%%' }

const octal = (char: string): string => named[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`
