import { tokenPattern } from '../../../spec/index.ts'
import { UsageError } from '../../process/exit.ts'

/** The one token in a text, without the white space around it. Throws UsageError, which begins with `what`. */
export const oneToken = (what: string, text: string): string => {
  const token = text.trim()
  if (token === '') throw new UsageError(`${what} nothing: it must be one token`)
  const lines = token.split('\n').length
  if (lines > 1) throw new UsageError(`${what} ${lines} lines: it must be one token`)
  if (!new RegExp(tokenPattern).test(token))
    throw new UsageError(
      `${what} no token: it must be visible ASCII characters, with spaces at most between them`,
    )
  return token
}
