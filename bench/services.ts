/**
 * Compares the suite with Schemathesis on products that others wrote: both have the same time for each, and the traffic is judged by a
 * script that belongs to neither.
 *
 *     node bench/services.ts [--seconds n] [--seeds n] [--tools ours,schemathesis] [--judge-only] [--write] [name…]
 *
 * Each product comes from its package registry, is installed in a folder for temporary files, and is started anew for each run, in network
 * and process namespaces of its own (Linux), with a proxy in between that logs the traffic. What cannot be installed is left out, by name.
 * `--judge-only` starts nothing, and judges the runs that are there, of any seed. Writes `test-results/services/`: services.json with all
 * figures and lists, services.md, and a folder for each run. `--write` keeps the figures in bench/services/figures.json, and writes the page
 * from all that are there.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machine, publish } from './page.ts'
import { findSchemathesis } from './schemathesis.ts'
import { readService } from './services/document.ts'
import { figuresOf, keep, type Measured, type Run } from './services/figures.ts'
import { installed, namesOf } from './services/install.ts'
import { isolated, whyNotIsolated } from './services/isolated.ts'
import { judge } from './services/judge.ts'
import { type Options, readOptions } from './services/options.ts'
import { type Product, products } from './services/products.ts'
import { exchangesOf } from './services/proxy.ts'
import { differences, productTable, shownRuns, sumTable } from './services/summary.ts'
import { allTools, shownCommands, type Tool } from './services/tools.ts'

const results = fileURLToPath(new URL('../test-results/services', import.meta.url))
const script = fileURLToPath(new URL('services/run.ts', import.meta.url))

/** Runs a tool on a product, unless only what is there is judged; null if that failed. */
const measure = async (
  name: string,
  product: Product,
  where: string,
  tool: Tool,
  seed: number,
  { seconds, isJudgedOnly }: Options,
): Promise<{ readonly run: Run; readonly operations: number } | null> => {
  const folder = join(results, `${name}-${tool}-${seed}`)
  if (!isJudgedOnly) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const args = [name, tool, String(seed), String(seconds), where, folder]
    if ((await isolated([process.execPath, script, ...args])) !== 0) return null
  }
  const service = readService(readFileSync(join(folder, 'document'), 'utf8'), product.base)
  const judged = await judge(service, exchangesOf(join(folder, 'traffic.ndjson')))
  const outcome = JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8'))
  const { requests, succeeded, errors, undeclared, wrong } = judged
  process.stderr.write(
    `${name}, ${tool}, seed ${seed}: ${requests} requests, ${succeeded.length} operations answered 2xx, ${errors.length} 5xx, ` +
      `${undeclared.length} undeclared, ${wrong.length} wrong, ${outcome.seconds.toFixed(0)} s\n`,
  )
  return { run: { tool, seed, outcome, judged }, operations: service.operations.length }
}

/** The seeds of the runs that are there, for each of the tools. */
const seedsThere = (name: string, tools: readonly Tool[]): readonly number[] => {
  const folders = new Set(readdirSync(results))
  const seeds = [...folders].map(folder => Number(folder.split('-').at(-1)))
  return [...new Set(seeds)]
    .filter(seed => tools.every(tool => folders.has(`${name}-${tool}-${seed}`)))
    .sort((one, other) => one - other)
}

const measureProduct = async (name: string, options: Options): Promise<Measured | null> => {
  const product = products[name]
  if (product === undefined) return null
  const found = installed(name, product.packages)
  if ('missing' in found) {
    process.stderr.write(`left out: ${name} (${found.missing})\n`)
    return null
  }
  const runs: Run[] = []
  let operations = 0
  for (const seed of options.isJudgedOnly ? seedsThere(name, options.tools) : options.seeds)
    for (const tool of options.tools) {
      const one = await measure(name, product, found.folder, tool, seed, options)
      if (one === null) {
        process.stderr.write(`left out: ${name} (it cannot be measured, see test-results/services)\n`)
        process.exitCode = 1
        return null
      }
      runs.push(one.run)
      operations = one.operations
    }
  return { name, packages: namesOf(product.packages), operations, runs }
}

const main = async (options: Options): Promise<void> => {
  const found = options.tools.includes('schemathesis') ? findSchemathesis() : {}
  if ('missing' in found) throw new Error(`Schemathesis is missing: ${found.missing}`)
  const measured: Measured[] = []
  for (const name of options.names) {
    const one = await measureProduct(name, options)
    if (one !== null) measured.push(one)
  }
  if (measured.length === 0) return
  const now = figuresOf(measured, {
    limit: options.seconds,
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
  })
  const all = options.isWritten ? keep(now) : now
  const tools = options.isWritten ? allTools : options.tools
  const commands = shownCommands(options.seconds)
  const section = [
    `\`npm run bench:services -- --seconds ${options.seconds} --seeds N\` ${shownRuns(all)}`,
    '',
    ...tools.map(tool => `- ${tool === 'ours' ? 'ours' : 'Schemathesis 4.32.5'}: \`${commands[tool]}\``),
    '',
    productTable(all, tools),
    '',
    sumTable(all, tools),
  ].join('\n')
  mkdirSync(results, { recursive: true })
  writeFileSync(
    join(results, 'services.json'),
    JSON.stringify({ machine: machine(), ...options, measured }, null, 1),
  )
  writeFileSync(join(results, 'services.md'), `${section}\n\n${differences(measured)}\n`)
  publish('bench:services', section, 'services.md')
}

const reason = whyNotIsolated()
if (reason === null) await main(readOptions(process.argv.slice(2)))
else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
