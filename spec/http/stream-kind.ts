import { mediaType } from './exchange.ts'

/** How the items of a stream are framed: server-sent events, one JSON text a line, or JSON texts behind record separators (RFC 7464). */
export type StreamKind = 'events' | 'lines' | 'sequence'

/** Null: bodies of this type are no streams of items. */
export const streamKindOf = (type: string): StreamKind | null => kinds[mediaType(type) ?? ''] ?? null

const kinds: Readonly<Record<string, StreamKind>> = {
  'text/event-stream': 'events',
  'application/jsonl': 'lines',
  'application/x-jsonlines': 'lines',
  'application/x-ndjson': 'lines',
  'application/ndjson': 'lines',
  'application/json-seq': 'sequence',
}
