/**
 * A value as `JSON.stringify` writes it with this indent, in parts: each item of a list is one, so that a long list is never held as
 * text; `inLines`: each is a line as well. A list may be any iterable, whose items are asked for one by one. Objects are looked into for
 * them as deep as `depth`: `results.tests` of a report is at 2.
 */
export const jsonParts = (value: unknown, indent = 0, inLines = false, depth = 2): Iterable<string> =>
  partsOf(value, { indent, inLines }, '', depth)

type Style = { readonly indent: number; readonly inLines: boolean }

function* partsOf(value: unknown, style: Style, outer: string, depth: number): Generator<string> {
  const { indent, inLines } = style
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value
  if (!isList && (depth === 0 || !isRecord(value))) {
    yield textOf(value, indent, outer)
    return
  }
  const inner = `${outer}${' '.repeat(indent)}`
  const lineBreak = (margin: string): string => (indent === 0 ? '' : `\n${margin}`)
  const [open, close] = isList ? '[]' : '{}'
  let isEmpty = true
  const before = (): string => {
    const text = `${isEmpty ? open : ','}${lineBreak(inner)}`
    isEmpty = false
    return text
  }
  if (isList) {
    for (const item of value as Iterable<unknown>)
      yield `${before()}${textOf(item ?? null, inLines ? 0 : indent, inner)}`
  } else {
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue
      yield `${before()}${JSON.stringify(name)}:${indent === 0 ? '' : ' '}`
      yield* partsOf(member, style, inner, depth - 1)
    }
  }
  yield isEmpty ? `${open}${close}` : `${lineBreak(outer)}${close}`
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !('toJSON' in value)

// A text in JSON has no line breaks of its own.
const textOf = (value: unknown, indent: number, outer: string): string => {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 || outer === '' ? text : text.replaceAll('\n', `\n${outer}`)
}
