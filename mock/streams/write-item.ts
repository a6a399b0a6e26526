import { isObject, type Json, type StreamKind, writeJson } from '../../spec/index.ts'

/** An item as it stands in a stream. */
export const writeItem = (kind: StreamKind, item: Json): string => {
  switch (kind) {
    case 'lines':
      return `${writeJson(item)}\n`
    case 'sequence':
      return `\u001e${writeJson(item)}\n`
    case 'events':
      return writeEvent(item)
  }
}

const fields = ['event', 'id', 'retry', 'data']

/** An object with the fields of an event is one (OpenAPI 3.2, 4.14.4); any other value is the data of one, as JSON. */
const writeEvent = (item: Json): string => {
  const isEvent =
    isObject(item) &&
    Object.hasOwn(item, 'data') &&
    Object.keys(item).every(name => fields.includes(name) || name === 'comment')
  const values = isEvent ? item : { data: item }
  const lines = fields.flatMap(name =>
    Object.hasOwn(values, name)
      ? linesOf(textOf(values[name] as Json)).map(line => `${name}: ${line}\n`)
      : [],
  )
  return `${lines.join('')}\n`
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/)
