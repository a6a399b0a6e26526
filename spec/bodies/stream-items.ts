import type { StreamKind } from '../http/stream-kind.ts'
import { type Json, parseJson } from '../json/json.ts'

/** An item of a stream; of one that cannot be read, the text and what is wrong. */
export type StreamItem =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly text: string }

/**
 * The items of a stream that has ended. `isEvent`: of server-sent events, each item is an object with the fields of an event (OpenAPI
 * 3.2, 4.14.4); else it is the JSON in their data.
 */
export const readItems = (kind: StreamKind, text: string, isEvent: boolean): readonly StreamItem[] => {
  if (kind === 'lines') return text.split('\n').filter(isFilled).map(jsonItem)
  if (kind === 'sequence') return text.split('\u001e').filter(isFilled).map(jsonItem)
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(fieldsOf)
    .filter(fields => Object.keys(fields).length > 0)
    .map(fields => (isEvent ? { ok: true, value: fields } : jsonItem(String(fields.data ?? ''))))
}

const isFilled = (text: string): boolean => text.trim() !== ''

const jsonItem = (text: string): StreamItem => {
  try {
    return { ok: true, value: parseJson(text) }
  } catch {
    return { ok: false, text }
  }
}

const names = ['event', 'data', 'id', 'retry']

/** The fields of an event, without comments and what no client knows; several lines of data are one text. */
const fieldsOf = (event: string): Record<string, string | number> => {
  const fields: Record<string, string | number> = {}
  for (const line of event.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (!names.includes(name)) continue
    fields[name] =
      name === 'retry' && /^\d+$/.test(value)
        ? Number(value)
        : name === 'data' && fields.data !== undefined
          ? `${fields.data}\n${value}`
          : value
  }
  return fields
}
