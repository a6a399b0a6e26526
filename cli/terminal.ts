import { UsageError } from './exit.ts'
import { token } from './parse.ts'

/** Whether a stream is to be coloured: NO_COLOR and FORCE_COLOR decide, else whether it is a terminal. */
export const colourOf = (stream: NodeJS.WriteStream): boolean => {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return stream.isTTY === true && TERM !== 'dumb'
}

export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

export const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** The token of a flag, or of the environment. */
export const tokenOf = (flag: string | undefined): string | undefined => {
  const fromEnvironment = process.env.PLANTSTORE_TOKEN
  if (flag !== undefined || fromEnvironment === undefined || fromEnvironment === '') return flag
  try {
    return token(fromEnvironment)
  } catch (error) {
    throw new UsageError(`PLANTSTORE_TOKEN cannot be used as a token: ${(error as Error).message}`)
  }
}
