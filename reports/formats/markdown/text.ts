import { safeText } from '../../../spec/index.ts'

/** A code span of any text: its fence is longer than any run of backticks in it. */
export const code = (text: string): string => {
  const safe = safeText(text)
  if (safe.trim() === '') return ''
  const fence = '`'.repeat(longestRun(safe) + 1)
  const pad = /^[` ]|[` ]$/.test(safe) ? ' ' : ''
  return `${fence}${pad}${safe}${pad}${fence}`
}

/** A code block of these lines. */
export const codeBlock = (lines: readonly string[]): readonly string[] => {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return [`${fence}text`, ...lines, fence]
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/**
 * Text that is no Markdown except for code in backticks: it mentions nobody, refers to no issue and contains no link,
 * since whatever could begin one becomes code.
 */
export const prose = (text: string): string => {
  const parts = safeText(text).split('`')
  // Unpaired backticks are text like any other.
  if (parts.length % 2 === 0) return plain(parts.join('`'))
  return parts.map((part, index) => (index % 2 === 0 ? plain(part) : code(part))).join('')
}

const plain = (text: string): string =>
  text
    .split(/(\S+)/)
    .map(part => (/[@#]|:\/\/|www\.|GH-/i.test(part) ? code(part) : part.replace(/[!-/:-@[-`{-~]/g, escaped)))
    .join('')

// These have a meaning only at the beginning of a line, where no outside text stands.
const escaped = (char: string): string => (/[.,:;'"?/%()+={}-]/.test(char) ? char : `\\${char}`)
