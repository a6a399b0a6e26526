import { styleText } from 'node:util'

// Controls (ANSI escapes among them), bidi overrides, invisible characters, lone surrogates and noncharacters.
const harmful =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const visible = (char: string): string => {
  const code = (char.codePointAt(0) ?? 0).toString(16)
  return shortEscapes[char] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`)
}

/**
 * Makes outside text harmless for a terminal, XML and HTML: one line, with every control character, escape sequence,
 * bidi override and invisible character written as an escape such as `\u001b`.
 */
export const safeText = (text: string): string => (isPlain.test(text) ? text : text.replace(harmful, visible))

// Most texts are, and this is ten times as fast.
const isPlain = /^[\x20-\x7e]*$/

/** The same, keeping line breaks and tabs. */
export const safeLines = (text: string): readonly string[] =>
  text.split(/\r?\n/).map(line => line.split('\t').map(safeText).join('\t'))

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue'
export type Paint = (style: Style | readonly Style[], text: string) => string

/** The caller decides whether to colour; the environment is not consulted. */
export const createPaint =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false }) : text
