/** Exit codes: stable, and the same for all commands. */
export const exitCodes = {
  conformant: 0,
  nonconformant: 1,
  usage: 2,
  document: 3,
  inconclusive: 4,
  internal: 5,
  outdated: 6,
  interrupted: 130,
  terminated: 143,
} as const

/** The exit codes as the help of a command lists them. */
export const exitCodeHelp = `
Exit codes: 0 conformant or accepted · 1 nonconformant · 2 usage or configuration ·
            3 unusable document · 4 unreachable, inconclusive or partial · 5 internal error ·
            6 outdated waivers or baseline · 130, 143 signals
`

/** An error that the caller can fix; the message is one line and says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'PLANTSTORE_USAGE'
}

/** A command of the user that has to succeed before a run did not: nothing is known of the server. */
export class HookError extends Error {
  override readonly name = 'HookError'
  readonly code = 'PLANTSTORE_HOOK'
}

/** The message for an error, and the exit code. */
export const failureOf = (error: unknown): { readonly exitCode: number; readonly message: string } => {
  const { code, stack, message } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    readonly code?: unknown
  }
  // By code and not by class, so that a mistyped flag does not load the rooms.
  if (code === 'PLANTSTORE_HOOK') return { exitCode: exitCodes.inconclusive, message }
  if (code === 'PLANTSTORE_DOCUMENT') return { exitCode: exitCodes.document, message }
  if (typeof code === 'string' && code.startsWith('PLANTSTORE_'))
    return { exitCode: exitCodes.usage, message }
  return {
    exitCode: exitCodes.internal,
    message: `internal error: ${message}\n${stack ?? ''}\nPlease report this with the command that caused it.`,
  }
}

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
