import type { IncomingMessage } from 'node:http'

/** Whether a request says that its body is JSON, and names no charset but UTF-8. */
export const hasJsonType = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')

/** A body as a strict server reads it; undefined if it is no JSON in UTF-8. */
export const strictJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}
