import { type Json, parseJson, type StreamKind } from '../../spec/index.ts'
import { writeItem } from './write-item.ts'

/** A part of a stream: a text that stands as it is, or a value to be written. */
export type Part = { readonly text: string; readonly item: Json | undefined }

/**
 * The items of an example: those of a list, those of a text in the format of the stream, or the example itself. `item` is undefined
 * where the text of an event is no JSON.
 */
export const partsOfExample = (kind: StreamKind, example: Json): readonly Part[] => {
  const written = (item: Json): Part => ({ text: writeItem(kind, item), item })
  if (Array.isArray(example)) return (example as readonly Json[]).map(written)
  if (typeof example !== 'string') return [written(example)]
  if (kind === 'events')
    return isFramed(example)
      ? eventsIn(example).map(text => ({ text: `${text}\n\n`, item: undefined }))
      : [written(example)]
  const lines = example.split(/[\n\u001e]/).filter(line => line.trim() !== '')
  return lines.map(line => ({ text: kind === 'lines' ? `${line}\n` : `\u001e${line}\n`, item: jsonIn(line) }))
}

const isFramed = (text: string): boolean => /^(?:data|event|id|retry)?:/m.test(text)

const eventsIn = (text: string): readonly string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(event => event.replace(/^\n|\n$/g, ''))
    .filter(event => event !== '')

const jsonIn = (line: string): Json | undefined => {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}
