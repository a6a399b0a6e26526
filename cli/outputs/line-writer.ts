import { constants, openSync } from 'node:fs'
import sonic from 'sonic-boom'

/** Lines on standard error that never make anybody wait. */
export type LineWriter = {
  readonly write: (line: string) => void
  /** Resolves when all is written, or when nobody has read it for a while. */
  readonly end: () => Promise<void>
}

/** What is held for a reader that is slow, in characters; lines beyond that are left out and counted. */
const mostHeld = 1024 * 1024
const longestEnd = 500
/** Lines are written together, so many characters at once; what is fewer waits for so many milliseconds. */
const together = 8 * 1024
const longestWait = 50

export const createLineWriter = (): LineWriter => {
  const sink = new sonic.SonicBoom({
    fd: unblocked(),
    sync: false,
    maxLength: mostHeld,
    minLength: together,
    periodicFlush: longestWait,
  })
  let dropped = 0
  // Whoever reads may have gone: that is no error of the mock.
  sink.on('error', () => {})
  sink.on('drop', () => {
    dropped += 1
  })
  sink.on('drain', () => {
    if (dropped === 0) return
    const count = dropped.toLocaleString('en-US')
    dropped = 0
    sink.write(`(${count} lines of the log are left out: they were not read in time)\n`)
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

// Node opens pipes and sockets so that writing does not wait, but terminals so that it does: one that is halted
// (Ctrl-S) would halt the process, also at its end.
const unblocked = (): number => {
  const { fd, isTTY } = process.stderr
  if (isTTY !== true) return fd
  try {
    return openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return fd
  }
}
