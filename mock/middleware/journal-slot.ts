import type { Headers, RequestViolation } from '../../spec/index.ts'
import { noBody } from '../engine/compiled-response.ts'
import type { Entry } from './journal-entry.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * A place of the journal, which is written again and again. If each entry kept its own arrays, each collection of garbage would move
 * those of all entries, which took up to 15 % of the mock's time under load. So what is the same as in the entry before is shared, and
 * bodies are copied to where older ones were.
 */
export type Slot = {
  /** Without its bodies. */
  readonly entry: Mutable<Entry>
  /** The body of the request, and behind it that of the response. */
  bytes: Uint8Array
  bodyLength: number
  responseLength: number
}

/** Bodies that need more than this are not copied to where older ones were. */
const reusedBytes = 1024

export const createSlot = (entry: Entry): Slot => ({
  entry: { ...entry, body: null, responseBody: noBody },
  bytes: new Uint8Array(reusedBytes),
  bodyLength: 0,
  responseLength: 0,
})

/** Writes an entry over what the slot has. `last`: the slot of the entry before. */
export const writeSlot = (slot: Slot, from: Entry, last: Slot): void => {
  const { entry } = slot
  const { body, responseBody } = from
  entry.number = from.number
  entry.at = from.at
  entry.ms = from.ms
  entry.method = from.method
  entry.target = from.target === last.entry.target ? last.entry.target : from.target
  entry.headers = shared(from.headers, last.entry.headers)
  entry.body = body === null ? null : noBody
  entry.bodySize = from.bodySize
  entry.status = from.status
  entry.responseHeaders = shared(from.responseHeaders, last.entry.responseHeaders)
  entry.responseSize = from.responseSize
  entry.operation = from.operation
  entry.violations = from.violations.length === 0 ? noViolations : from.violations
  entry.scenario = from.scenario
  entry.answerProblem = from.answerProblem
  entry.forwarded = from.forwarded
  const bodyLength = body?.length ?? 0
  const size = bodyLength + responseBody.length
  if (size > reusedBytes) slot.bytes = new Uint8Array(size)
  else if (slot.bytes.length > reusedBytes) slot.bytes = new Uint8Array(reusedBytes)
  if (body !== null) slot.bytes.set(body)
  slot.bytes.set(responseBody, bodyLength)
  slot.bodyLength = bodyLength
  slot.responseLength = responseBody.length
}

/** The entry of a slot, as a copy that later requests leave as it is. */
export const readSlot = ({ entry, bytes, bodyLength, responseLength }: Slot): Entry => ({
  ...entry,
  body: entry.body === null ? null : bytes.slice(0, bodyLength),
  responseBody: bytes.slice(bodyLength, bodyLength + responseLength),
})

const noViolations: readonly RequestViolation[] = []

const shared = (headers: Headers, last: Headers): Headers => (isSame(headers, last) ? last : headers)

const isSame = (headers: Headers, last: Headers): boolean => {
  if (headers === last) return true
  if (headers.length !== last.length) return false
  for (let index = 0; index < headers.length; index++) {
    const [field, same] = [headers[index] as Headers[number], last[index] as Headers[number]]
    if (field[1] !== same[1] || field[0] !== same[0]) return false
  }
  return true
}
