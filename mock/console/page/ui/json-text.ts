/** A token of a JSON text, or the white space between two. */
export type JsonToken = {
  readonly kind: 'name' | 'string' | 'number' | 'literal' | 'punctuation' | 'space'
  readonly text: string
}

const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g
const maxIndent = 100

/**
 * A JSON text on indented lines, its tokens unchanged: numbers keep every digit, and duplicate names stay. Null: it is
 * not JSON.
 */
export const formatJson = (source: string): readonly JsonToken[] | null => {
  try {
    JSON.parse(source)
  } catch {
    return null
  }
  const tokens = source.match(tokenPattern) ?? []
  const formatted: JsonToken[] = []
  let depth = 0
  const breakLine = (): void =>
    void formatted.push({ kind: 'space', text: `\n${'  '.repeat(Math.min(depth, maxIndent))}` })
  for (const [index, text] of tokens.entries()) {
    const next = tokens[index + 1]
    if (text === '}' || text === ']') {
      depth -= 1
      if (tokens[index - 1] !== '{' && tokens[index - 1] !== '[') breakLine()
    }
    formatted.push({ kind: kindOf(text, next), text })
    if (text === ':') formatted.push({ kind: 'space', text: ' ' })
    if (text === '{' || text === '[') {
      depth += 1
      if (next !== '}' && next !== ']') breakLine()
    }
    if (text === ',') breakLine()
  }
  return formatted
}

const kindOf = (text: string, next: string | undefined): JsonToken['kind'] => {
  if (text.startsWith('"')) return next === ':' ? 'name' : 'string'
  if (/^[-\d]/.test(text)) return 'number'
  return /^[a-z]/.test(text) ? 'literal' : 'punctuation'
}

/** A hexadecimal dump: sixteen bytes a line, followed by their ASCII characters. */
export const hexLines = (bytes: Uint8Array, maxBytes: number): readonly string[] =>
  Array.from({ length: Math.ceil(Math.min(bytes.length, maxBytes) / 16) }, (_, line) => {
    const part = [...bytes.subarray(line * 16, Math.min(maxBytes, line * 16 + 16))]
    const hex = part.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const ascii = part.map(byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('')
    return `${(line * 16).toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${ascii}`
  })
