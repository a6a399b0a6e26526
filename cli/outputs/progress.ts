import { createProgress, type Progress } from '../../reports/index.ts'
import { isColoured, say } from '../process/terminal.ts'

/**
 * Shows progress on standard error: a status line on a terminal, plain lines elsewhere. Why a run ends without a test it says at once, as
 * writing the reports may take seconds.
 */
export const startProgress = (): Progress => {
  const progress = createProgress({
    write: text => process.stderr.write(text),
    isTty: process.stderr.isTTY === true && process.env.CI === undefined,
    colour: isColoured(process.stderr),
    columns: process.stderr.columns ?? 80,
    now: () => performance.now(),
  })
  const ticking = setInterval(progress.tick, 1000)
  ticking.unref()
  const stop = (): void => {
    clearInterval(ticking)
    progress.stop()
  }
  return {
    ...progress,
    stop,
    event: event => {
      progress.event(event)
      if (event.type !== 'end' || event.stopped !== 'access' || event.reason === null) return
      stop()
      say(event.reason)
    },
  }
}
