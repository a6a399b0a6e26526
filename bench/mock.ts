/** Compares the mock with bare node:http, Prism CLI and Mockoon CLI: requests per second, time to readiness, memory. */
import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { memoryOf, runNode } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { findPeer } from './peers.ts'

const rounds = 3
const seconds = 4
const connections = 32
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const plants = path('../spec/openapi/plant-store.openapi.yaml')

type Contestant = { readonly name: string; readonly args: (port: number) => readonly string[] }
type Work = { readonly target: string; readonly method: 'GET' | 'POST'; readonly body?: string }
type Figures = {
  readonly perSecond: number
  readonly p99: number
  readonly readyMs: number
  readonly megabytes: number
}

const log = (text: string): void => void process.stderr.write(`${text}\n`)

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Milliseconds from the start of the process to its first response with status 200. */
const untilReady = async (url: string, { target, method, body }: Work, start: number): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench-token' }
  for (;;) {
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    const response = await fetch(url + target, request).catch(() => null)
    if (response?.status === 200) return performance.now() - start
    if (response !== null)
      throw new Error(`${url}${target} answers ${response.status}: ${await response.text()}`)
    if (performance.now() - start > 60_000) throw new Error('no response within a minute')
    await new Promise(resolve => setTimeout(resolve, 3))
  }
}

const measure = async ({ args }: Contestant, work: Work): Promise<Figures> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = spawn(process.execPath, args(port), {
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port) },
  })
  try {
    const readyMs = await untilReady(url, work, start)
    const load = async (time: number): Promise<{ perSecond: number; failed: number; p99: number }> => {
      const settings = [url, String(time), String(connections), work.target, work.method]
      const { stdout, stderr, code } = await runNode([path('./load.ts'), ...settings])
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }
    await load(1)
    const { perSecond, failed, p99 } = await load(seconds)
    if (failed > 0) throw new Error(`${failed} requests did not succeed`)
    return { perSecond, p99, readyMs, megabytes: memoryOf(child.pid).peak }
  } finally {
    child.kill()
  }
}

// Users run the built package, not its sources.
execFileSync(process.execPath, [path('../scripts/build.ts')])

const ourMock = (spec: string): Contestant => ({
  name: 'this mock',
  args: port => [
    path('../dist/bin/plantstore.js'),
    'mock',
    '--spec',
    spec,
    '--port',
    String(port),
    '--token',
    'bench-token',
  ],
})

const prism = findPeer('@stoplight/prism-cli', '5.16.0', 'dist/index.js')
const mockoon = findPeer('@mockoon/cli', '9.9.0', 'bin/run.js')
const github = findPeer('@octokit/openapi', '23.0.2', 'generated/api.github.com.json')
const peers = (spec: string): readonly Contestant[] => [
  ...('missing' in prism
    ? []
    : [
        {
          name: 'Prism CLI 5.16.0, default settings',
          args: (port: number) => [prism.script, 'mock', '-p', String(port), spec],
        },
        {
          name: 'Prism CLI 5.16.0, logging off',
          args: (port: number) => [prism.script, 'mock', '-v', 'silent', '-p', String(port), spec],
        },
      ]),
  ...('missing' in mockoon || spec !== plants
    ? []
    : [
        {
          name: 'Mockoon CLI 9.9.0',
          args: (port: number) =>
            [mockoon.script, 'start', '--repair', '--disable-log-to-file'].concat([
              '--data',
              spec,
              '--port',
              String(port),
            ]),
        },
      ]),
]
for (const peer of [prism, mockoon, github]) if ('missing' in peer) log(`left out: ${peer.missing}`)

const compare = async (contestants: readonly Contestant[], work: Work): Promise<string> => {
  const all = new Map<Contestant, Figures[]>(contestants.map(contestant => [contestant, []]))
  for (let round = 1; round <= rounds; round++)
    for (const [contestant, figures] of all) {
      log(`round ${round} of ${rounds}: ${contestant.name}`)
      figures.push(await measure(contestant, work))
    }
  const of = (contestant: Contestant, pick: (figures: Figures) => number): number =>
    median((all.get(contestant) ?? []).map(pick))
  const ours = contestants.find(({ name }) => name === 'this mock') as Contestant
  const ratio = (contestant: Contestant): string =>
    (of(ours, figures => figures.perSecond) / of(contestant, figures => figures.perSecond)).toPrecision(3)
  const count = (value: number): string => Math.round(value).toLocaleString('en-US')
  return table(
    ['', 'requests per second', 'the mock is', 'p99', 'ready after', 'peak memory'],
    contestants.map(contestant => [
      contestant.name,
      count(of(contestant, figures => figures.perSecond)),
      contestant === ours ? '' : `${ratio(contestant)} times as fast`,
      `${of(contestant, figures => figures.p99)} ms`,
      `${count(of(contestant, figures => figures.readyMs))} ms`,
      `${count(of(contestant, figures => figures.megabytes))} MB`,
    ]),
  )
}

const bare: Contestant = { name: 'bare node:http', args: () => [path('./bare-store.ts')] }
const plant: Work = {
  target: '/plants',
  method: 'POST',
  body: '{"id":4711,"name":"Monstera deliciosa","tag":"indoor"}',
}
const small = await compare([bare, ourMock(plants), ...peers(plants)], plant)
const large =
  'missing' in github
    ? github.missing
    : await compare([ourMock(github.script), ...peers(github.script)], { target: '/zen', method: 'GET' })
publish(
  'bench:mock',
  [
    `\`npm run bench:mock\` on ${machine()}; ${connections} connections, ${seconds} s each after a warm-up, medians of ${rounds} alternating rounds. *Ready after*: from the start of the process to its first response.`,
    '',
    'POST /plants of the plant store, with a token:',
    '',
    small,
    '',
    'GET /zen of the GitHub REST description (@octokit/openapi):',
    '',
    large,
  ].join('\n'),
)
