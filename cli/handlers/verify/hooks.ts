import { safeText } from '../../../spec/index.ts'
import type { HookFlags } from '../../options/hook-flags.ts'
import { exitCodes, failureOf, HookError } from '../../process/exit.ts'
import { runCommand } from '../../process/run-command.ts'
import { say } from '../../process/terminal.ts'

export type HookedRun = {
  /** Base URL of the server under test. */
  readonly url: URL
  /** The path of the ledger, which is known when the run has ended; null: the run writes none. */
  readonly ledger: () => string | null
  /** Ends `--before`. */
  readonly stop: AbortSignal
  /** The exit code of the process, if this is that of the run. */
  readonly exitCodeAfter: (code: number) => number
  readonly isQuiet: boolean
}

/**
 * Runs `--before`, then `run`, and `--after` whatever became of them. Throws HookError if `--before` fails: then `run` is not called.
 * If `--after` fails, it only warns.
 */
export const withHooks = async (
  { before, after, hookTimeout: seconds }: HookFlags,
  { url, ledger, stop, exitCodeAfter, isQuiet }: HookedRun,
  run: () => Promise<number>,
): Promise<number> => {
  const announce = (flag: string, command: string): string => {
    if (!isQuiet) say(`running ${flag}: ${safeText(command)}`)
    return `${flag} ${safeText(command)}`
  }
  const runBefore = async (command: string): Promise<void> => {
    const name = announce('--before', command)
    const { problem } = await runCommand(command, {
      seconds,
      output: 'show',
      env: { PLANTSTORE_URL: url.href },
      signal: stop,
    })
    if (problem !== null && !stop.aborted) throw new HookError(`${name} ${problem}, so nothing was sent`)
  }
  const runAfter = async (command: string, exitCode: number): Promise<void> => {
    const name = announce('--after', command)
    const written = ledger()
    const { problem } = await runCommand(command, {
      seconds,
      output: 'show',
      env: {
        PLANTSTORE_URL: url.href,
        PLANTSTORE_EXIT_CODE: String(exitCode),
        ...(written === null ? {} : { PLANTSTORE_LEDGER: written }),
      },
    })
    if (problem !== null) say(`warning: ${name} ${problem}`)
  }

  let exitCode: number = exitCodes.inconclusive
  try {
    if (before !== undefined) await runBefore(before)
    if (!stop.aborted || before === undefined) exitCode = await run()
    return exitCode
  } catch (error) {
    exitCode = failureOf(error).exitCode
    throw error
  } finally {
    if (after !== undefined) await runAfter(after, exitCodeAfter(exitCode))
  }
}
