/** What is measured as work grows: each gives time and memory for some amounts of it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { memoryOf, runNode, type Server, serve, serveMock } from '../child.ts'
import { openSocket, postPlant } from '../plant-socket.ts'

/** Milliseconds and megabytes for an amount of work. */
export type Measured = { readonly amount: number; readonly ms: number; readonly megabytes: number }

export type Measure = {
  readonly title: string
  readonly work: string
  /** The last ones take long, and are left out without `--full`. */
  readonly amounts: readonly number[]
  readonly full: readonly number[]
  readonly measure: (amount: number) => Promise<Measured>
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const plants = path('../../spec/openapi/plant-store.openapi.yaml')

const withFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'plantstore-scaling-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withServer = async <T>(starting: Promise<Server>, use: (server: Server) => Promise<T>): Promise<T> => {
  const server = await starting
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

/** `verify` exits with this if too few cases were sent for a whole verdict. */
const partial = 4

const ran = async (amount: number, args: readonly string[], cwd: string): Promise<Measured> => {
  const { code, stderr, ms, peakMegabytes } = await runNode([path('../../cli/main.js'), ...args], { cwd })
  if (code !== 0 && code !== partial) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`)
  return { amount, ms, megabytes: peakMegabytes ?? Number.NaN }
}

const cases: Measure = {
  title: 'verify',
  work: 'cases',
  amounts: [100, 1000, 10_000, 100_000],
  full: [1_000_000],
  measure: amount =>
    withFolder(folder =>
      withServer(
        serve(process.execPath, [path('../../examples/servers/fastify/server.ts')], {
          PORT: '0',
          TOKEN: 't',
        }),
        ({ url }) =>
          ran(amount, ['verify', url, '--token', 't', '--cases', `${amount}`, '--seed', '1', '-q'], folder),
      ),
    ),
}

/** A document of this many operations, each with schemas of its own. */
const documentOf = (operations: number): string => {
  const range = Array.from({ length: operations }, (_, index) => index)
  const content = (index: number) => ({
    'application/json': { schema: { $ref: `#/components/schemas/Thing${index}` } },
  })
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Many operations', version: '1' },
    paths: Object.fromEntries(
      range.map(index => [
        `/things-${index}`,
        {
          post: {
            operationId: `create${index}`,
            requestBody: { required: true, content: content(index) },
            responses: {
              200: { description: 'Created.', content: content(index) },
              400: { description: 'Invalid.' },
            },
          },
        },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        range.map(index => [
          `Thing${index}`,
          {
            type: 'object',
            required: ['id', `name${index}`],
            properties: {
              id: { type: 'integer', format: 'int64' },
              [`name${index}`]: { type: 'string', minLength: 1, maxLength: 40 },
            },
          },
        ]),
      ),
    },
  })
}

const operations: Measure = {
  title: 'obligations',
  work: 'operations',
  amounts: [1, 10, 100, 500, 2000],
  full: [],
  measure: amount =>
    withFolder(folder => {
      writeFileSync(join(folder, 'openapi.json'), documentOf(amount))
      return ran(amount, ['obligations', '--spec', 'openapi.json', '--format', 'json'], folder)
    }),
}

/** Milliseconds of processor time that a process has taken. */
const busyMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

const msPerTick = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Bytes to send before the processor time is read, which is counted in steps of 10 ms. */
const volume = 20_000_000

/** What the mock of any JSON takes to judge and answer bodies. */
const bodies = async (amount: number, body: string): Promise<Measured> =>
  withFolder(async folder => {
    const document = join(folder, 'openapi.json')
    writeFileSync(document, anyJson)
    return withServer(serveMock(document, ['--max-body', '20000000']), async ({ url, pid }) => {
      const pool = new Pool(url, { connections: 1 })
      const send = async (): Promise<void> => {
        const headers = { 'content-type': 'application/json' }
        const response = await pool.request({ path: '/any', method: 'POST', headers, body })
        if (response.statusCode !== 200) throw new Error(`the mock answered ${response.statusCode}`)
        await response.body.dump()
      }
      const count = Math.max(20, Math.min(3000, Math.round(volume / body.length)))
      for (let left = count; left > 0; left--) await send()
      const before = busyMs(pid)
      for (let left = count; left > 0; left--) await send()
      const ms = (busyMs(pid) - before) / count
      await pool.destroy()
      return { amount, ms, megabytes: memoryOf(pid).peak }
    })
  })

const anyJson = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Any JSON', version: '1' },
  paths: {
    '/any': {
      post: {
        operationId: 'any',
        requestBody: { required: true, content: { 'application/json': { schema: {} } } },
        responses: { 200: { description: 'Taken.' } },
      },
    },
  },
})

const size: Measure = {
  title: 'mock, one request',
  work: 'bytes of the body',
  amounts: [200, 1000, 10_000, 100_000, 1_000_000, 10_000_000],
  full: [],
  measure: amount => {
    // Not too many values: beyond a limit the mock reads no JSON.
    const item = `{"id":12345,"name":"${'Monstera deliciosa '.repeat(10)}"}`
    const items = Array.from({ length: Math.max(1, Math.round(amount / item.length)) }, () => item)
    return bodies(amount, `[${items.join(',')}]`)
  },
}

const nesting: Measure = {
  title: 'mock, one request',
  work: 'levels of nesting',
  amounts: [1, 10, 50, 100, 200, 400],
  full: [],
  measure: amount => bodies(amount, `${'[{"a":'.repeat(amount / 2)}1${'}]'.repeat(amount / 2)}`),
}

const requestsPerConnection = 20

const connections: Measure = {
  title: `mock, ${requestsPerConnection} requests on each connection`,
  work: 'connections',
  amounts: [1, 10, 100, 1000, 5000],
  full: [10_000],
  measure: amount =>
    withServer(serveMock(plants), async ({ url, pid }) => {
      const sockets: Socket[] = []
      while (sockets.length < amount)
        sockets.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(200, amount - sockets.length) }, () => openSocket(url)),
          )),
        )
      const before = busyMs(pid)
      await Promise.all(
        sockets.map(async socket => {
          for (let left = requestsPerConnection; left > 0; left--) await postPlant(socket)
        }),
      )
      const ms = busyMs(pid) - before
      const megabytes = memoryOf(pid).peak
      for (const socket of sockets) socket.destroy()
      return { amount, ms, megabytes }
    }),
}

export const measures: readonly Measure[] = [cases, operations, size, nesting, connections]
