import { type ChildProcess, spawn } from 'node:child_process'
import { inject } from 'vitest'
import { main } from '../../cli/program.ts'
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

/** Starts the real command. It gets only those variables of the environment that it needs to run. */
export const start = (args: readonly string[], { cwd = emptyFolder(), env = {} }: Context = {}): Started => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [inject('command'), ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return watch(child)
}

/** A process that prints nothing more for so long hangs: what it has printed says more than a test that timed out. */
const patience = 60_000

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
        const fail = (what: string): void => reject(new Error(`${what} ${text}\n${stdout}${stderr}`))
        const timer = setTimeout(fail, patience, `did not print in ${patience / 1000} s`).unref()
        ended.then(({ code }) => {
          clearTimeout(timer)
          fail(`exited with ${code} before it printed`)
        }, reject)
      }),
    kill: signal => child.kill(signal),
  }
}

/** Runs the real command in a process of its own, to its end. */
export const plantstoreProcess = (args: readonly string[], context: Context = {}): Promise<Ran> =>
  start(args, context).ended

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the command in this process, to its end: most of the time of a short command goes into starting Node and loading modules.
 * Only one runs at a time, as folder, environment, outputs and exit code belong to the process.
 */
export const plantstore = (args: readonly string[], context: Context = {}): Promise<Ran> => {
  const ran = last.then(() => runHere(args, context))
  last = ran.catch(() => {})
  return ran
}

const runHere = async (args: readonly string[], { cwd = emptyFolder(), env = {} }: Context): Promise<Ran> => {
  const before = { folder: process.cwd(), env: { ...process.env }, exitCode: process.exitCode }
  const output = { stdout: '', stderr: '' }
  const { PATH = '', HOME = '' } = before.env
  const restore = [capture('stdout', output), capture('stderr', output)]
  process.chdir(cwd)
  // The test runner reads variables of its own at any time.
  const ofRunner = Object.entries(before.env).filter(([name]) => /^(VITEST|NODE)/.test(name))
  setEnvironment({ PATH, HOME, ...Object.fromEntries(ofRunner), ...env })
  process.exitCode = 0
  try {
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...output }
  } finally {
    process.exitCode = before.exitCode
    setEnvironment(before.env)
    process.chdir(before.folder)
    for (const undo of restore) undo()
  }
}

const setEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** Collects what is written to a stream; the function that it returns ends this. */
const capture = (name: 'stdout' | 'stderr', output: Record<'stdout' | 'stderr', string>): (() => void) => {
  const stream = process[name]
  const { write } = stream
  const listeners = stream.listeners('error')
  stream.write = ((text: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    output[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
    const callback = typeof encoding === 'function' ? encoding : done
    if (typeof callback === 'function') callback()
    return true
  }) as typeof stream.write
  return () => {
    stream.write = write
    for (const listener of stream.listeners('error'))
      if (!listeners.includes(listener)) stream.off('error', listener as () => void)
  }
}

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
