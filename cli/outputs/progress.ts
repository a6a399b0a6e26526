import { createProgress, type Progress } from '../../reports/index.ts'
import { colourOf } from './terminal.ts'

/** Progress on standard error: a status line on a terminal, plain lines elsewhere. */
export const progressOf = (): Progress =>
  createProgress({
    write: text => process.stderr.write(text),
    isTty: process.stderr.isTTY === true && process.env.CI === undefined,
    colour: colourOf(process.stderr),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
  })
