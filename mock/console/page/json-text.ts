/** A piece of a JSON text, with what it is. */
export type Piece = {
  readonly kind: 'name' | 'string' | 'number' | 'word' | 'mark' | 'space'
  readonly text: string
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g
const deepest = 100

/**
 * A JSON text with lines and indentation, its tokens as they stand there: a number keeps every digit, a name given
 * twice is there twice. Null where it is no JSON.
 */
export const layOut = (source: string): readonly Piece[] | null => {
  try {
    JSON.parse(source)
  } catch {
    return null
  }
  const tokens = source.match(token) ?? []
  const pieces: Piece[] = []
  let depth = 0
  const line = (): void =>
    void pieces.push({ kind: 'space', text: `\n${'  '.repeat(Math.min(depth, deepest))}` })
  for (const [index, text] of tokens.entries()) {
    const next = tokens[index + 1]
    if (text === '}' || text === ']') {
      depth -= 1
      if (tokens[index - 1] !== '{' && tokens[index - 1] !== '[') line()
    }
    pieces.push({ kind: kindOf(text, next), text })
    if (text === ':') pieces.push({ kind: 'space', text: ' ' })
    if (text === '{' || text === '[') {
      depth += 1
      if (next !== '}' && next !== ']') line()
    }
    if (text === ',') line()
  }
  return pieces
}

const kindOf = (text: string, next: string | undefined): Piece['kind'] => {
  if (text.startsWith('"')) return next === ':' ? 'name' : 'string'
  if (/^[-\d]/.test(text)) return 'number'
  return /^[a-z]/.test(text) ? 'word' : 'mark'
}

/** Bytes as a hexadecimal dump: sixteen a line, with the ASCII that they are. */
export const hexLines = (bytes: Uint8Array, most: number): readonly string[] =>
  Array.from({ length: Math.ceil(Math.min(bytes.length, most) / 16) }, (_, line) => {
    const part = [...bytes.subarray(line * 16, Math.min(most, line * 16 + 16))]
    const hex = part.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const ascii = part.map(byte => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('')
    return `${(line * 16).toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${ascii}`
  })
