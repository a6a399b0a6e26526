import { latin1 } from '../text/latin1.ts'
import { mediaType } from './exchange.ts'

/** How the items of a stream are framed: server-sent events, one JSON text a line, or JSON texts behind record separators (RFC 7464). */
export type StreamKind = 'events' | 'lines' | 'sequence'

/** Null: bodies of this type are no streams of items. */
export const streamKindOf = (type: string): StreamKind | null => kinds[mediaType(type) ?? ''] ?? null

/** The whole items at the beginning of a stream that has not ended. */
export const wholeItems = (kind: StreamKind, bytes: Uint8Array): Uint8Array => {
  const [whole = ''] = (kind === 'events' ? wholeEvents : wholeLines).exec(latin1(bytes)) ?? []
  return bytes.subarray(0, whole.length)
}

// Greedy: up to the last end of an item.
const wholeEvents = /^.*(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/s
const wholeLines = /^.*\n/s

const kinds: Readonly<Record<string, StreamKind>> = {
  'text/event-stream': 'events',
  'application/jsonl': 'lines',
  'application/x-jsonlines': 'lines',
  'application/x-ndjson': 'lines',
  'application/ndjson': 'lines',
  'application/json-seq': 'sequence',
}
