import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type ProcessResult = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** From start to exit, loading included. */
  readonly ms: number
  /** Peak memory in megabytes; null if the process is not Node. */
  readonly peakMegabytes: number | null
}

type Options = {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds after which the process is killed. Default: never. */
  readonly timeout?: number
}

const printPeakMemory = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))`

/** Runs Node with these arguments until it exits. */
export const runNode = (args: readonly string[], options: Options = {}): Promise<ProcessResult> =>
  run(process.execPath, ['--import', printPeakMemory, ...args], options)

/** Runs a program until it exits. */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd = process.cwd(), env = {}, timeout }: Options = {},
): Promise<ProcessResult> => {
  const start = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  })
  const output = collect(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const { stdout, stderr } = output()
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1]
  return {
    code,
    stdout,
    stderr,
    ms: performance.now() - start,
    peakMegabytes: peak === undefined ? null : Number(peak) / 1024,
  }
}

export type Server = {
  readonly url: string
  readonly pid: number
  /** Everything that it has written so far. */
  readonly output: () => string
  /** Terminates it; gives its exit code, null if the signal killed it. */
  readonly stop: () => Promise<number | null>
}

/** Starts a server that prints its URL. */
export const serve = (
  program: string,
  args: readonly string[],
  env: Options['env'] = {},
): Promise<Server> => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = collect(child)
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  const stop = (): Promise<number | null> => {
    child.kill()
    return exited
  }
  const output = (): string => Object.values(written()).join('')
  return new Promise((resolve, reject) => {
    const findUrl = (): void => {
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1]
      if (url !== undefined) resolve({ url, pid: child.pid ?? 0, output, stop })
    }
    child.stdout?.on('data', findUrl)
    child.stderr?.on('data', findUrl)
    child.once('error', reject)
    child.once('close', () => reject(new Error(`${program} ended: ${written().stderr}`)))
  })
}

const printLiveMemory = `data:text/javascript,process.on('SIGUSR2',()=>{gc();process.stderr.write('\\nlive '+process.memoryUsage().heapUsed+'\\n')})`

/** Starts a mock of a document on a free port; `liveMemory` measures what it holds. */
export const serveMock = (document: string, flags: readonly string[] = []): Promise<Server> => {
  const cli = fileURLToPath(new URL('../cli/main.js', import.meta.url))
  const args = [
    '--expose-gc',
    '--import',
    printLiveMemory,
    cli,
    'mock',
    '--spec',
    document,
    '--port',
    '0',
    ...flags,
  ]
  return serve(process.execPath, args)
}

/** The size of a mock's heap after garbage collection, in megabytes. */
export const liveMemory = async ({ pid, output }: Server): Promise<number> => {
  const readings = (): readonly string[] => output().match(/^live \d+$/gm) ?? []
  const before = readings().length
  process.kill(pid, 'SIGUSR2')
  while (readings().length === before) await new Promise(resolve => setTimeout(resolve, 5))
  return Number(readings().at(-1)?.slice(5)) / 2 ** 20
}

/** The resident memory of a process now and at its peak, in megabytes; NaN if the system does not report it. */
export const memoryOf = (pid: number | undefined): { readonly now: number; readonly peak: number } => {
  let status = ''
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {}
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
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
