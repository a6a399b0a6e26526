import { type Contract, type Headers, header, type Obligation, redact } from '../../spec/index.ts'
import type { Entry } from '../journal.ts'
import { copiesOf, writtenOf } from './copies.ts'
import type { Mask } from './secrets.ts'
import type { Body, Detail, Summary } from './shape.ts'

/** The header that marks what the console's own form sends, so that it finds its exchange again. */
const markName = 'plantstore-mark'

export const summaryOf = (mask: Mask, entry: Entry): Summary => {
  const { number, at, ms, method, target, headers, status, operation, breaches, scenario } = entry
  const secrets = breaches.length === 0 ? [] : exact(mask.secretsOf(target, headers))
  return {
    number,
    at,
    ms,
    method,
    target: dotted(mask.target(target)).slice(0, 2000),
    status,
    operation,
    breaches: breaches.map(({ id, code, message }) => ({
      id,
      code,
      message: dotted(redact(message, secrets)),
    })),
    scenario,
    client: header(headers, 'plantstore-client'),
    mark: header(headers, markName),
  }
}

/** Everything of an exchange; `origin`: of the mock, as the page reaches it. */
export const detailOf = (
  mask: Mask,
  contract: Contract,
  obligations: readonly Obligation[],
  entry: Entry,
  origin: string,
): Detail => {
  const summary = summaryOf(mask, entry)
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  return {
    summary,
    target: entry.target,
    headers: fields(mask, entry.headers),
    body: entry.body === null ? null : bodyOf(entry.body, entry.bodySize),
    answerHeaders: fields(mask, entry.answerHeaders),
    answerBody: bodyOf(entry.answerBody, entry.answerSize),
    broken: summary.breaches.map(breach => {
      const known = byId.get(breach.id) ?? obligations.find(({ id }) => id.startsWith(`${breach.id}/`))
      return {
        ...breach,
        promise: byId.get(breach.id)?.promise ?? null,
        place: known === undefined ? null : placeText(contract, known.clause.pointer),
      }
    }),
    secrets: mask.secretsOf(entry.target, entry.headers),
    again: writtenOf(mask, entry),
    hidden: copiesOf(mask, entry, origin, 'hidden'),
    revealed: copiesOf(mask, entry, origin, 'revealed'),
  }
}

/** `openapi.yaml:41`, where a place of the document stands in its file. */
export const placeText = (contract: Contract, pointer: string): string => {
  const { file, line } = contract.place(pointer)
  return `${file}:${line}`
}

const fields = (mask: Mask, headers: Headers): Detail['headers'] =>
  headers
    .filter(([name]) => name.toLowerCase() !== markName)
    .map(([name, value]) => ({ name, value, hidden: dotted(mask.header(name, value)) }))

const exact = (secrets: readonly string[]): readonly { readonly exact: string }[] =>
  secrets.map(secret => ({ exact: secret }))

const dotted = (text: string): string => text.replace(/\{\{token(?::basic)?\}\}/g, '••••••')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bodyOf = (bytes: Uint8Array, size: number): Body => {
  const text = textOf(bytes, size > bytes.length)
  return {
    size,
    kept: bytes.length,
    text,
    base64: text === null ? Buffer.from(bytes).toString('base64') : null,
  }
}

/** Null: it is no text. Where a body was cut, so may its last character be. */
const textOf = (bytes: Uint8Array, isCut: boolean): string | null => {
  for (const less of isCut ? [0, 1, 2, 3] : [0]) {
    try {
      const text = utf8.decode(bytes.subarray(0, bytes.length - less))
      return text.includes('\0') ? null : text
    } catch {}
  }
  return null
}
