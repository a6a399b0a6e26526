/** Whether output to a stream is coloured: NO_COLOR and FORCE_COLOR decide, otherwise whether it is a terminal. */
export const isColoured = (stream: NodeJS.WriteStream): boolean => {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return stream.isTTY === true && TERM !== 'dumb'
}

/** Prints a message on standard error. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Prints a result on standard output. */
export const print = (text: string): void => {
  process.stdout.write(withEnd(text))
}

/** Prints it on standard error, where standard output is for a script. */
export const printAside = (text: string): void => {
  process.stderr.write(withEnd(text))
}

const withEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)
