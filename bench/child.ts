import { type ChildProcess, spawn } from 'node:child_process'

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

export type Server = { readonly url: string; readonly stop: () => void }

/** Starts a server that says where it listens. */
export const serve = (
  program: string,
  args: readonly string[],
  env: Options['env'] = {},
): Promise<Server> => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = collect(child)
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const { stdout, stderr } = read()
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(stdout + stderr)?.[1]
      if (url !== undefined) resolve({ url, stop: () => child.kill() })
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('error', reject)
    child.once('close', () => reject(new Error(`${program} ended: ${read().stderr}`)))
  })
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
