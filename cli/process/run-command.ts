import { type ChildProcess, spawn } from 'node:child_process'

/** How a command ended. */
export type CommandEnd = {
  /** Its exit code; null: it was ended by a signal, by the time limit, or by us. */
  readonly code: number | null
  /** What went wrong, after the name of the command: `ended with exit code 3`; null: nothing did. */
  readonly problem: string | null
  /** What it printed, if that was collected. */
  readonly stdout: string
  readonly stderr: string
}

export type CommandOptions = {
  /** Default: as long as it takes. */
  readonly seconds?: number
  /** `collect`: for the caller. `show`: on our standard error, as standard output is for results. */
  readonly output: 'collect' | 'show'
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends the command. */
  readonly signal?: AbortSignal
}

/** What a command may print if it is collected. */
const mostBytes = 1024 * 1024
/** What a command has left running may hold its outputs open. */
const outputMs = 500

/** Runs a command by the shell, in a process group of its own: whatever ends it ends what it has started. Never throws. */
export const runCommand = (
  command: string,
  { seconds, output, env, signal }: CommandOptions,
): Promise<CommandEnd> =>
  new Promise(resolve => {
    const child = spawn(command, {
      shell: true,
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, ...env },
      stdio: output === 'collect' ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    })
    const release = bindGroup(child)
    const texts = { stdout: '', stderr: '' }
    let stopped: string | null = null
    const stop = (reason: string): void => {
      stopped ??= reason
      endGroup(child)
    }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
        if (texts[name].length > mostBytes) stop('printed more than 1 MiB')
      })
    const timer =
      seconds === undefined
        ? undefined
        : setTimeout(() => stop(`did not end within ${seconds} s`), seconds * 1000)
    const onAbort = (): void => stop('was stopped')
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    const end = (code: number | null, problem: string | null): void => {
      clearTimeout(timer)
      release()
      signal?.removeEventListener('abort', onAbort)
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve({ code: stopped === null ? code : null, problem: stopped ?? problem, ...texts })
    }
    child.once('error', error => end(null, `could not be started: ${error.message}`))
    child.once('exit', (code, ended) => {
      const problem =
        code === 0 ? null : code === null ? `was ended by ${ended}` : `ended with exit code ${code}`
      const late = setTimeout(() => end(code, problem), outputMs)
      child.once('close', () => {
        clearTimeout(late)
        end(code, problem)
      })
    })
  })

/** How long a process may take to end in order. */
const graceMs = 2000

/** Lets a group end with us, whatever ends us. The function that it returns says that the group has ended by itself. */
export const bindGroup = (child: ChildProcess): (() => void) => {
  const end = (): void => kill(child, 'SIGKILL')
  process.once('exit', end)
  return () => process.off('exit', end)
}

/** Ends a process that was started `detached`, and those that it has started: first politely, then by force. */
export const endGroup = (child: ChildProcess): void => {
  kill(child, 'SIGTERM')
  const timer = setTimeout(() => kill(child, 'SIGKILL'), graceMs)
  child.once('exit', () => {
    clearTimeout(timer)
    kill(child, 'SIGKILL')
  })
}

const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    // The group has the number of its first process. Windows has no such groups.
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended already.
  }
}
