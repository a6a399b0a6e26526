/** Holds thousands of connections open to the mock: what each takes of its memory, and whether others are served meanwhile. */
import { execFileSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { liveMemory, memoryOf, serveMock } from './child.ts'
import { machine, median, publish, table } from './page.ts'

const wanted = 10_000
const asked = 2000
// Each process has other files open as well.
const allowed =
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).replace('unlimited', '1e9')) - 200
const count = Math.min(wanted, allowed)

const server = await serveMock(fileURLToPath(new URL('../spec/plant-store.openapi.yaml', import.meta.url)))
const { port } = new URL(server.url)
const body = '{"id":1,"name":"Fern"}'
const plain = `POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })

/** Milliseconds from a request to its answer. */
const ask = (socket: Socket): Promise<number> => {
  const began = performance.now()
  socket.write(plain)
  return new Promise((resolve, reject) => {
    socket.once('data', (answer: Buffer) => {
      if (answer.toString('latin1', 9, 12) === '200') resolve(performance.now() - began)
      else reject(new Error(`the mock answered ${answer}`))
    })
  })
}

const latencies = async (): Promise<readonly number[]> => {
  const socket = await open()
  const times: number[] = []
  for (let left = asked; left > 0; left--) times.push(await ask(socket))
  socket.destroy()
  return times.sort((left, right) => left - right)
}

type State = { readonly live: number; readonly resident: number; readonly times: readonly number[] }
const state = async (): Promise<State> => {
  const times = await latencies()
  return { times, live: await liveMemory(server), resident: memoryOf(server.pid).now }
}

await latencies()
const before = await state()
const sockets: Socket[] = []
while (sockets.length < count) {
  const some = await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, open))
  // A connection that was used is kept open; one that never is, is not.
  await Promise.all(some.map(ask))
  sockets.push(...some)
}
const during = await state()
const lost = sockets.filter(socket => socket.destroyed || socket.readableEnded).length
const began = performance.now()
const code = await server.stop()
const closing = performance.now() - began

const row = (name: string, { live, resident, times }: State): readonly string[] => [
  name,
  `${live.toFixed(0)} MB`,
  `${resident.toFixed(0)} MB`,
  `${median(times).toFixed(2)} ms`,
  `${times[Math.floor(times.length * 0.99)]?.toFixed(2)} ms`,
]
const each = (pick: (one: State) => number): string =>
  (((pick(during) - pick(before)) * 1024) / count).toFixed(1)
publish(
  'bench:idle',
  [
    `\`npm run bench:idle\` on ${machine()}; ${count.toLocaleString('en-US')} connections that were used once and stay open${count < wanted ? ', as many as the system allows' : ''}; ${asked.toLocaleString('en-US')} requests over one more, one after the other.`,
    '',
    table(
      ['', 'live memory', 'resident memory', 'answer, median', 'answer, p99'],
      [row('before', before), row('with all of them open', during)],
    ),
    '',
    `A connection takes ${each(({ live }) => live)} kB of live memory, ${each(({ resident }) => resident)} kB resident. Lost: ${lost}. SIGTERM with all of them open: the mock ends within ${closing.toFixed(0)} ms with exit code ${code}.`,
  ].join('\n'),
  'reliability.md',
)
