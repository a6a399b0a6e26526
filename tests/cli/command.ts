import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { emptyFolder } from '../folder.ts'

export { emptyFolder }

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Context = {
  /** The working directory. Default: a new empty folder. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export type Started = {
  /** Settles when the process has ended. */
  readonly ended: Promise<Ran>
  /** Settles when standard output or standard error contains the text; fails if the process ends before. */
  readonly shows: (text: RegExp) => Promise<RegExpExecArray>
  readonly kill: (signal: NodeJS.Signals) => void
}

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/** Starts the real command. It gets only those variables of the environment that it needs to run. */
export const start = (args: readonly string[], { cwd = emptyFolder(), env = {} }: Context = {}): Started => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child)
}

/** Watches the output of any other process. */
export const watch = (child: ChildProcess): Started => {
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const check = (): void => {
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    check()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    check()
  })
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
  return {
    ended,
    shows: text =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = text.exec(stdout) ?? text.exec(stderr)
          if (found === null) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        ended.then(
          ({ code }) =>
            reject(new Error(`exited with ${code} before it printed ${text}\n${stdout}${stderr}`)),
          reject,
        )
      }),
    kill: signal => child.kill(signal),
  }
}

/** Runs the real command to its end. */
export const plantstore = (args: readonly string[], context: Context = {}): Promise<Ran> =>
  start(args, context).ended

/** Calls `use`, and then closes what it used. */
export const during = async <S extends { readonly close: () => Promise<void> }, T>(
  opening: Promise<S>,
  use: (opened: S) => Promise<T>,
): Promise<T> => {
  const opened = await opening
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
