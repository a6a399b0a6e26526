/**
 * One run of one tool on one product, in a namespace of its own that `isolated` made: starts the product anew, puts the proxy before it,
 * and runs the tool. Writes the document, the traffic, what both print, and the outcome into a folder.
 *
 *     node bench/services/run.ts PRODUCT TOOL SEED SECONDS INSTALLED FOLDER
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { memoryOf } from '../child.ts'
import { type Command, freePort } from '../frameworks/processes.ts'
import { type Product, products } from './products.ts'
import { startProxy } from './proxy.ts'
import { commandOf, isTool } from './tools.ts'

/** What a run took. */
export type Outcome = {
  /** The load average of the machine as the tool was started. */
  readonly load: number
  readonly seconds: number
  readonly peakMegabytes: number
  /** null if it did not end by itself in time. */
  readonly exitCode: number | null
}

/** Seconds for which a tool may go on after its time, before it is ended. */
const patience = 120

const main = async ([
  name = '',
  tool = '',
  seed,
  seconds,
  installed = '',
  folder = '',
]: readonly string[]): Promise<Outcome> => {
  const product = products[name]
  if (product === undefined || !isTool(tool)) throw new Error(`there is no ${name} or ${tool}`)
  const state = join(folder, 'state')
  mkdirSync(state, { recursive: true })
  const [port, proxyPort] = [await freePort(), await freePort()]
  const { command, env } = product.start({ folder: installed, state, port })
  const home = { HOME: state, NO_COLOR: '1', ...env }
  const service = start(command, state, home, join(folder, 'service.log'))
  await untilReady(service, `http://127.0.0.1:${port}${product.ready}`, product)
  const document = join(folder, 'document')
  if ('file' in product.document) copyFileSync(product.document.file(installed), document)
  else writeFileSync(document, await textAt(`http://127.0.0.1:${port}${product.document.served}`, product))
  const proxy = await startProxy(proxyPort, port, join(folder, 'traffic.ndjson'))
  const url = `http://127.0.0.1:${proxyPort}${product.base === '/' ? '' : product.base}`
  const task = { product, url, document, seconds: Number(seconds), seed: Number(seed) }
  const outcome = await runTool(commandOf(tool, task), folder, task.seconds + patience)
  await proxy.stop()
  return outcome
}

const start = (
  [program, ...args]: Command,
  cwd: string,
  env: Readonly<Record<string, string>>,
  file: string,
): ChildProcess => {
  const output = openSync(file, 'w')
  return spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', output, output] })
}

const runTool = async (command: Command, folder: string, limit: number): Promise<Outcome> => {
  const begin = performance.now()
  const [load = 0] = loadavg()
  const tool = start(command, folder, { NO_COLOR: '1' }, join(folder, 'tool.log'))
  let peakMegabytes = 0
  const look = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, memoryOf(tool.pid).peak || 0)
  }, 250)
  const end = setTimeout(() => tool.kill('SIGKILL'), limit * 1000)
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    tool.once('error', reject)
    tool.once('exit', resolve)
  })
  clearInterval(look)
  clearTimeout(end)
  return { load, seconds: (performance.now() - begin) / 1000, peakMegabytes, exitCode }
}

const headersFor = ({ credentials }: Product): Record<string, string> => {
  const [name = '', value = ''] = credentials?.header.split(/: (.*)/) ?? []
  return name === '' ? {} : { [name]: value }
}

const untilReady = async (service: ChildProcess, url: string, product: Product): Promise<void> => {
  const end = performance.now() + 120_000
  for (;;) {
    const response = await fetch(url, { headers: headersFor(product) }).catch(() => null)
    await response?.body?.cancel()
    if (response?.ok === true) return
    if (service.exitCode !== null) throw new Error('the service ended, see service.log')
    if (performance.now() > end) throw new Error('the service was not ready within two minutes')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const textAt = async (url: string, product: Product): Promise<string> => {
  const response = await fetch(url, { headers: headersFor(product) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

if (process.argv[1] === import.meta.filename) {
  const args = process.argv.slice(2)
  writeFileSync(join(args.at(-1) ?? '', 'outcome.json'), JSON.stringify(await main(args)))
  // What the service has started ends with the namespace.
  process.exit()
}
