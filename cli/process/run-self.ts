import { type ChildProcess, spawn } from 'node:child_process'
import { bindGroup, endGroup } from './run-command.ts'

/** A command of our own in a process of its own, such as `['lint', '--spec', 'a.yaml']`. */
export type OwnCommand = {
  readonly child: ChildProcess
  /** Ends it, and what it has started. */
  readonly end: () => void
}

/** Bytes of output that are kept. */
const mostBytes = 16 * 1024 * 1024

/** Starts a command of our own, with nothing on its standard input. */
export const startSelf = (args: readonly string[]): OwnCommand => {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const release = bindGroup(child)
  child.once('exit', release)
  return { child, end: () => endGroup(child) }
}

/** Runs one to its end; `signal` ends it before. `stdout` and `stderr` have what it printed. Never throws. */
export const runSelf = (
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise(resolve => {
    const { child, end } = startSelf(args)
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < mostBytes) texts[name] += text
      })
    signal?.addEventListener('abort', end, { once: true })
    child.once('error', error => resolve({ code: null, ...texts, stderr: error.message }))
    child.once('close', code => {
      signal?.removeEventListener('abort', end)
      resolve({ code, ...texts })
    })
  })
