/** How long a run takes on a lawful plant store that is far away: exit code 1 if it takes longer than promised. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode, serve } from './child.ts'
import { machine, median, publish, table } from './page.ts'

const token = 'bench-token'
const rounds = 3
/** By milliseconds from a request to its response, beyond what the store takes: the seconds that are promised for a run; null: none. */
const promised: readonly (readonly [ms: number, seconds: number | null])[] = [
  [0, null],
  [100, 8],
  [300, 20],
]
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Passes bytes on after some milliseconds, in the order in which they came. */
const pass = (from: Socket, to: Socket, ms: number): void => {
  from.on('data', bytes => setTimeout(() => to.write(bytes), ms))
  from.on('end', () => setTimeout(() => to.end(), ms))
  from.on('error', () => to.destroy())
}

/** A relay to the store, which takes so long both ways together. */
const relayTo = async (url: string, ms: number) => {
  const { hostname, port } = new URL(url)
  const server = createServer({ allowHalfOpen: true }, client => {
    const store = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    pass(client, store, ms / 2)
    pass(store, client, ms / 2)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const store = await serve(process.execPath, [path('../examples/servers/fastify/server.ts')], {
  PORT: '0',
  TOKEN: token,
})
const folder = mkdtempSync(join(tmpdir(), 'plantstore-latency-'))
const problems: string[] = []
const rows: string[][] = []
for (const [ms, seconds] of promised) {
  const relay = await relayTo(store.url, ms)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const args = [
      'verify',
      relay.url,
      '--token',
      token,
      '--seed',
      `${round + 1}`,
      '--out',
      join(folder, 'out'),
    ]
    const result = await runNode([path('../cli/main.js'), ...args], { cwd: folder })
    if (result.code !== 0) problems.push(`exit code ${result.code} at ${ms} ms`)
    times.push(result.ms / 1000)
  }
  relay.close()
  const took = median(times)
  if (seconds !== null && took > seconds) problems.push(`${took.toFixed(1)} s at ${ms} ms`)
  rows.push([`${ms} ms`, `${took.toFixed(1)} s`, seconds === null ? '' : `${seconds} s`])
  process.stderr.write(`${ms} ms: ${times.map(time => time.toFixed(1)).join(', ')} s\n`)
}
await store.stop()
rmSync(folder, { recursive: true })
publish(
  'bench:latency',
  [
    `\`npm run bench:latency\` on ${machine()}; \`plantstore verify URL\` with all defaults, the store in examples/servers/fastify behind a relay; start and reports included, medians of ${rounds} seeds.`,
    table(['from request to response', 'a run takes', 'promised'], rows),
  ].join('\n\n'),
)
for (const problem of problems) process.stderr.write(`bench: ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
