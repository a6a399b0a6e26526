import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the sources of the servers are. */
export const sources = fileURLToPath(new URL('.', import.meta.url))

/** Where they are installed, and stay for the next run. */
export const cache = join(tmpdir(), 'plantstore-frameworks')

export const token = 'Fern-4b8dE1-Shed'

export type Command = readonly [program: string, ...args: string[]]

export const has = ([program, ...args]: Command): boolean => spawnSync(program, args).error === undefined

export const run = (cwd: string, [program, ...args]: Command): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The script of a package that a virtual environment in a folder has. */
export const venv = (folder: string, name: string): string => join(folder, 'venv/bin', name)

export const installPython = (folder: string): void => {
  run(folder, ['python3', '-m', 'venv', 'venv'])
  run(folder, [venv(folder, 'pip'), 'install', '--quiet', '--requirement', 'requirements.txt'])
}

export const installNode = (folder: string): void =>
  run(folder, ['npm', 'install', '--no-audit', '--no-fund', '--silent'])

export const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Starts a process, and ends it after `use`. */
export const during = async <T>(
  [program, ...args]: Command,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  use: () => Promise<T>,
): Promise<T> => {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
  })
  try {
    return await use()
  } finally {
    const ended = new Promise(resolve => child.once('exit', resolve))
    if (child.kill()) await ended
  }
}

let failures = 0

export const report = (name: string, isRight: boolean, text: string): void => {
  if (!isRight) failures += 1
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${name.padEnd(28)} ${text}`)
}

export const failed = (): boolean => failures > 0
