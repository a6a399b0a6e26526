import { exitCodes } from './exit.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

export const exitCodeOfSignal = (signal: Signal): number =>
  signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated

/** The exit code of a command that may have been ended by a signal. */
export const exitCodeAfter = (signal: Signal | null, code: number): number =>
  signal === null ? code : exitCodeOfSignal(signal)

/** Calls `first` at the first signal, so that work can end in order; a second signal ends the process. */
export const onSignal = (first: (signal: Signal) => void) => {
  let caught: Signal | null = null
  const handle = (signal: Signal): void => {
    if (caught !== null) process.exit(exitCodeOfSignal(signal))
    caught = signal
    first(signal)
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    caught: (): Signal | null => caught,
    end: (): void => {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}
