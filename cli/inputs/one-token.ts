import { UsageError } from '../process/exit.ts'

/** The one token in a text, without the white space around it. Throws UsageError, which begins with `what`. */
export const oneToken = (what: string, text: string): string => {
  const token = text.trim()
  if (token === '') throw new UsageError(`${what} nothing: it must be one token`)
  const lines = token.split('\n').length
  if (lines > 1) throw new UsageError(`${what} ${lines} lines: it must be one token`)
  if (/[^\x21-\x7e]/.test(token))
    throw new UsageError(`${what} no token: it must be visible ASCII characters without spaces`)
  return token
}
