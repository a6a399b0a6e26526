/**
 * Runs the benchmarks that compare us with others, each by itself, and collects their ratios.
 * `-- --out FILE` keeps them (default: test-results/bench.json), `--compare FILE` holds them against an earlier file: exit code 1 if one
 * fell by more than its own noise. `--only NAME` runs one of them; `--write` puts the figures into docs/, as the commands themselves do.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { changesSince } from './compare.ts'
import { machine, median, table } from './page.ts'
import { type Ratio, ratiosFile } from './ratios.ts'

/** In this order, so that a failure of the suite is seen before the long ones begin. */
const names = ['verify', 'profile', 'start', 'mock', 'proxy'] as const

type Result = { readonly machine: string; readonly at: string; readonly ratios: readonly Ratio[] }

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'test-results/bench.json' },
    compare: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
})

const fail = (message: string): never => {
  process.stderr.write(`bench: ${message}\n`)
  process.exit(2)
}

const readResult = (file: string): Result => {
  try {
    const result: Result = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(result.ratios)) return result
  } catch (error) {
    return fail(`${file} cannot be read: ${(error as Error).message}`)
  }
  return fail(`${file} is no result of npm run bench: it has no ratios`)
}

const run = (name: string, file: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
    spawn(process.execPath, [script, ...(values.write ? ['--write'] : [])], {
      stdio: 'inherit',
      env: { ...process.env, [ratiosFile]: file },
    })
      .once('error', reject)
      .once('close', resolve)
  })

const unknown = values.only.find(name => !names.includes(name as (typeof names)[number]))
if (unknown !== undefined) fail(`there is no benchmark ${unknown}: it is one of ${names.join(', ')}`)
// Read first: a wrong path must not be told after half an hour.
const earlier = values.compare === undefined ? null : readResult(values.compare)

const folder = mkdtempSync(join(tmpdir(), 'plantstore-bench-'))
const file = join(folder, 'ratios.ndjson')
writeFileSync(file, '')
const failed: string[] = []
for (const name of names.filter(each => values.only.length === 0 || values.only.includes(each)))
  if ((await run(name, file)) !== 0) failed.push(name)

const ratios = readFileSync(file, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map((line): Ratio => JSON.parse(line))
rmSync(folder, { recursive: true })
const result: Result = { machine: machine(), at: new Date().toISOString(), ratios }
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)

const changes = changesSince(earlier?.ratios ?? [], ratios)
const shown = (value: number | null): string => (value === null ? '' : value.toPrecision(3))
process.stdout.write(
  `\n${machine()}\n\n${table(
    ['ratio', 'earlier', 'now', 'noise', ''],
    changes.map(({ name, before, now, noise, fell }) => [
      name,
      shown(before),
      shown(now),
      `${(100 * noise).toFixed(0)} %`,
      fell ? 'FELL' : '',
    ]),
  )}\n\nwritten: ${values.out}\n`,
)
if (earlier !== null && earlier.machine !== result.machine)
  process.stderr.write(`bench: the earlier result is of another machine: ${earlier.machine}\n`)
const gone = (earlier?.ratios ?? []).filter(({ name }) => !ratios.some(ratio => ratio.name === name))
if (values.only.length === 0)
  for (const { name, rounds } of gone)
    process.stderr.write(`bench: not measured this time: ${name} (${shown(median(rounds))})\n`)
for (const name of failed) process.stderr.write(`bench: the benchmark ${name} failed\n`)
process.exitCode = failed.length > 0 || changes.some(({ fell }) => fell) ? 1 : 0
