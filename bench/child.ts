import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** From start to end, with all that loading takes. */
  readonly ms: number
  /** The most memory that the process had, in megabytes; null where it is not one of Node's. */
  readonly peakMegabytes: number | null
}

type Options = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }

const tellPeak = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))`

/** Runs Node with these arguments to its end. */
export const runNode = (args: readonly string[], options: Options = {}): Promise<Ended> =>
  run(process.execPath, ['--import', tellPeak, ...args], options)

/** Runs a program to its end. */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Options = {},
): Promise<Ended> => {
  const began = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const read = collect(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const { stdout, stderr } = read()
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1]
  return {
    code,
    stdout,
    stderr,
    ms: performance.now() - began,
    peakMegabytes: peak === undefined ? null : Number(peak) / 1024,
  }
}

export type Server = {
  readonly url: string
  readonly pid: number
  /** All that it wrote so far. */
  readonly said: () => string
  /** Asks it to end; gives its exit code, null where a signal ended it. */
  readonly stop: () => Promise<number | null>
}

/** Starts a server that says where it listens. */
export const serve = (
  program: string,
  args: readonly string[],
  env: Options['env'] = {},
): Promise<Server> => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = collect(child)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const stop = (): Promise<number | null> => {
    child.kill()
    return ended
  }
  const said = (): string => Object.values(read()).join('')
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said())?.[1]
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0, said, stop })
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('error', reject)
    child.once('close', () => reject(new Error(`${program} ended: ${read().stderr}`)))
  })
}

const tellLive = `data:text/javascript,process.on('SIGUSR2',()=>{gc();process.stderr.write('\\nlive '+process.memoryUsage().heapUsed+'\\n')})`

/** Starts a mock of a document on a free port, which can say what memory it really needs (`liveMemory`). */
export const serveMock = (document: string, flags: readonly string[] = []): Promise<Server> => {
  const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
  const args = ['--expose-gc', '--import', tellLive, cli, 'mock', '--spec', document, '--port', '0', ...flags]
  return serve(process.execPath, args)
}

/** What is left of the heap of a mock after collection, in megabytes. */
export const liveMemory = async ({ pid, said }: Server): Promise<number> => {
  const told = (): readonly string[] => said().match(/^live \d+$/gm) ?? []
  const before = told().length
  process.kill(pid, 'SIGUSR2')
  while (told().length === before) await new Promise(resolve => setTimeout(resolve, 5))
  return Number(told().at(-1)?.slice(5)) / 2 ** 20
}

/** The memory that a process has now, and the most that it had, in megabytes; NaN where the system does not tell. */
export const memoryOf = (pid: number | undefined): { readonly now: number; readonly most: number } => {
  let status = ''
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {}
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

const collect = (child: ChildProcess) => {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return () => ({ stdout, stderr })
}
