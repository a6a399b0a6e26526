import { readFileSync } from 'node:fs'
import type { TokenSource } from '../../../conformance/index.ts'
import { safeText, tokenPattern } from '../../../spec/index.ts'
import { UsageError } from '../../process/exit.ts'
import { runCommand } from '../../process/run-command.ts'

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

/** Seconds between two looks into the file: who writes it anew, as Kubernetes does, tells nobody. */
const checkAfter = 1

/** A file that holds the token. Throws UsageError. */
export const fileSource =
  (file: string, flag = '--token-file'): TokenSource =>
  () => {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      throw new UsageError(`${flag} ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
    return { token: oneToken(`${flag} ${file} holds`, text), checkAfter }
  }

const seconds = 30

/** A command that prints the token. Throws UsageError with the first line of its standard error. */
export const commandSource =
  (command: string, flag = '--token-command'): TokenSource =>
  async () => {
    const { problem, stdout, stderr } = await runCommand(command, { seconds, output: 'collect' })
    const name = `${flag} ${safeText(command)}`
    if (problem === null) return oneToken(`${name} printed`, stdout)
    const [line = ''] = stderr.trim().split('\n')
    throw new UsageError(`${name} ${problem}${line === '' ? '' : `: ${safeText(line.trim())}`}`)
  }
