import { createProgress, type Progress } from '../../reports/index.ts'
import { isColoured } from '../process/terminal.ts'

/** Shows progress on standard error: a status line on a terminal, plain lines elsewhere. */
export const startProgress = (): Progress =>
  createProgress({
    write: text => process.stderr.write(text),
    isTty: process.stderr.isTTY === true && process.env.CI === undefined,
    colour: isColoured(process.stderr),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
  })
