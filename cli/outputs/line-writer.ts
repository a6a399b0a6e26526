import { constants, openSync } from 'node:fs'
import sonic from 'sonic-boom'

/** Writes lines on standard error without ever blocking. */
export type LineWriter = {
  readonly write: (line: string) => void
  /** Resolves when everything is written, or nobody has read it for a while. */
  readonly end: () => Promise<void>
}

/** Characters that are held for a slow reader; further lines are dropped and counted. */
const mostHeld = 1024 * 1024
const longestEnd = 500
/** Lines are written in batches of so many characters; fewer wait for so many milliseconds. */
const batch = 8 * 1024
const longestWait = 50

/** `lineOf`: a message of the writer itself as a line. */
export const createLineWriter = (lineOf: (message: string) => string): LineWriter => {
  const sink = new sonic.SonicBoom({
    fd: unblocked(),
    sync: false,
    maxLength: mostHeld,
    minLength: batch,
    periodicFlush: longestWait,
  })
  let dropped = 0
  // A reader that has gone is not an error of the mock.
  sink.on('error', () => {})
  sink.on('drop', () => {
    dropped += 1
  })
  sink.on('drain', () => {
    if (dropped === 0) return
    const count = dropped.toLocaleString('en-US')
    dropped = 0
    sink.write(`${lineOf(`(${count} lines of the log were dropped, because they were not read in time)`)}\n`)
  })
  return {
    write: line => void sink.write(`${line}\n`),
    end: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, longestEnd)
      sink.flush(() => resolve())
      await promise
      clearTimeout(timer)
      sink.destroy()
    },
  }
}

// Node writes to pipes and sockets without blocking, but to terminals with: a paused one (Ctrl-S) would stop the process.
const unblocked = (): number => {
  const { fd, isTTY } = process.stderr
  if (isTTY !== true) return fd
  try {
    return openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}
