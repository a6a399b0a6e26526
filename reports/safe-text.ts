// Controls (ANSI escapes among them), bidi overrides, invisible characters, lone surrogates and noncharacters.
const harmful =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const visible = (char: string): string => {
  const code = (char.codePointAt(0) ?? 0).toString(16)
  return named[char] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
}

/**
 * Text that came from outside, made harmless for a terminal, XML or HTML: one line, with every control character,
 * escape sequence, bidi override and invisible character shown as `\u001b`.
 */
export const safeText = (text: string): string => text.replace(harmful, visible)

/** The same, with its line breaks and tabs kept. */
export const safeLines = (text: string): readonly string[] =>
  text.split(/\r?\n/).map(line => line.split('\t').map(safeText).join('\t'))
