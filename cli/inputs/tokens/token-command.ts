import type { TokenSource } from '../../../conformance/index.ts'
import { safeText } from '../../../spec/index.ts'
import { UsageError } from '../../process/exit.ts'
import { runCommand } from '../../process/run-command.ts'
import { oneToken } from './one-token.ts'

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
