/** How soon a process is of use: the mock's first response, the help, and a first verdict, from a checkout and from the package. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../tests/free-port.ts'
import { runNode } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { recordRatio } from './ratios.ts'
import { plantWork, untilReady } from './ready.ts'

const rounds = 9
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plantstore-bench-'))

/** Milliseconds to the first response of a server, which gets its port from the environment or where its arguments have PORT. */
const first = async (...args: readonly string[]): Promise<number> => {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(
    process.execPath,
    args.map(arg => arg.replace('PORT', port)),
    { stdio: 'ignore', env: { ...process.env, PORT: port } },
  )
  const ready = await untilReady(`http://127.0.0.1:${port}`, plantWork, start)
  child.kill()
  await once(child, 'close')
  return ready
}

const toEnd = async (...args: readonly string[]): Promise<number> => {
  const { code, ms, stderr } = await runNode(args, { cwd: folder })
  if (code !== 0) throw new Error(stderr)
  return ms
}

// Users run the built package, not its sources.
execFileSync(process.execPath, [path('../scripts/build.ts')])
const [checkout, published] = [path('../cli/main.js'), path('../dist/bin/plantstore.js')]
const bare = 'bare node:http: first response'
const ours = 'the mock, from the package: first response'
const contestants: Readonly<Record<string, () => Promise<number>>> = {
  [bare]: () => first(path('./bare-store.ts')),
  [ours]: () => first(published, 'mock', '--port', 'PORT'),
  'the mock, from a checkout: first response': () => first(checkout, 'mock', '--port', 'PORT'),
  'Node that runs nothing': () => toEnd('-e', '0'),
  '`verify --help`, from the package': () => toEnd(published, 'verify', '--help'),
  '`verify --help`, from a checkout': () => toEnd(checkout, 'verify', '--help'),
  '`verify embedded-mock`, from the package: 1,500 cases and sustained load, with reports': () =>
    toEnd(published, 'verify', 'embedded-mock', '--out', folder),
}

const times = new Map<string, number[]>(Object.keys(contestants).map(name => [name, []]))
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds}\n`)
  for (const [name, run] of Object.entries(contestants)) times.get(name)?.push(await run())
}
rmSync(folder, { recursive: true })
recordRatio('start · bare node:http', times.get(bare) ?? [], times.get(ours) ?? [])
publish(
  'bench:start',
  [
    `\`npm run bench:start\` on ${machine()}; milliseconds from the start of the process, medians of ${rounds} alternating rounds.`,
    '',
    table(
      ['', 'median', 'least'],
      [...times].map(([name, all]) => [
        name,
        `${Math.round(median(all)).toLocaleString('en-US')} ms`,
        `${Math.round(Math.min(...all)).toLocaleString('en-US')} ms`,
      ]),
    ),
  ].join('\n'),
)
