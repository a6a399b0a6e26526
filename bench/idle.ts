/** Keeps thousands of connections to the mock open, and measures the memory that each takes and the latency on another. */
import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { liveMemory, memoryOf, serveMock } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { openSocket, postPlant } from './plant-socket.ts'

const connections = 10_000
const requests = 2000
// The limit of open files, less some for files that each process has open anyway.
const allowed =
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).replace('unlimited', '1e9')) - 200
const count = Math.min(connections, allowed)

const server = await serveMock(
  fileURLToPath(new URL('../spec/openapi/plant-store.openapi.yaml', import.meta.url)),
)
const latencies = async (): Promise<readonly number[]> => {
  const socket = await openSocket(server.url)
  const times: number[] = []
  for (let left = requests; left > 0; left--) times.push(await postPlant(socket))
  socket.destroy()
  return times.sort((left, right) => left - right)
}

type State = { readonly live: number; readonly resident: number; readonly times: readonly number[] }
const measure = async (): Promise<State> => {
  const times = await latencies()
  return { times, live: await liveMemory(server), resident: memoryOf(server.pid).now }
}

await latencies()
const before = await measure()
const sockets: Socket[] = []
while (sockets.length < count) {
  const some = await Promise.all(
    Array.from({ length: Math.min(100, count - sockets.length) }, () => openSocket(server.url)),
  )
  // The mock keeps only those connections open that have been used.
  await Promise.all(some.map(postPlant))
  sockets.push(...some)
}
const during = await measure()
const lost = sockets.filter(socket => socket.destroyed || socket.readableEnded).length
const start = performance.now()
const code = await server.stop()
const stopMs = performance.now() - start

const row = (name: string, { live, resident, times }: State): readonly string[] => [
  name,
  `${live.toFixed(0)} MB`,
  `${resident.toFixed(0)} MB`,
  `${median(times).toFixed(2)} ms`,
  `${times[Math.floor(times.length * 0.99)]?.toFixed(2)} ms`,
]
const perConnection = (pick: (state: State) => number): string =>
  (((pick(during) - pick(before)) * 1024) / count).toFixed(1)
publish(
  'bench:idle',
  [
    `\`npm run bench:idle\` on ${machine()}; ${count.toLocaleString('en-US')} connections, each used once and kept open${count < connections ? ' (the most that the system allows)' : ''}; ${requests.toLocaleString('en-US')} sequential requests on another.`,
    '',
    table(
      ['', 'live memory', 'resident memory', 'response, median', 'response, p99'],
      [row('before', before), row('with all connections open', during)],
    ),
    '',
    `A connection takes ${perConnection(({ live }) => live)} kB of live memory, ${perConnection(({ resident }) => resident)} kB resident. Lost connections: ${lost}. On SIGTERM with all connections open the mock exits within ${stopMs.toFixed(0)} ms, with exit code ${code}.`,
  ].join('\n'),
  'reliability.md',
)
