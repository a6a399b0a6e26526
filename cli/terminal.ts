import { createProgress, type Progress } from '../reports/index.ts'

/** Whether a stream is to be coloured: NO_COLOR and FORCE_COLOR decide, else whether it is a terminal. */
export const colourOf = (stream: NodeJS.WriteStream): boolean => {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true
  return stream.isTTY === true && TERM !== 'dumb'
}

export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

export const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Progress on standard error: a status line on a terminal, plain lines elsewhere. */
export const progressOf = (): Progress =>
  createProgress({
    write: text => process.stderr.write(text),
    isTty: process.stderr.isTTY === true && process.env.CI === undefined,
    colour: colourOf(process.stderr),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
  })

/** The token of a flag, or of the environment. */
export const tokenOf = (flag: string | undefined): string | undefined =>
  flag ?? (process.env.PLANTSTORE_TOKEN || undefined)
