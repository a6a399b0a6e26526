/** Measures the mock beside bare node:http, Prism CLI and Mockoon CLI: requests a second, readiness, memory. */
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
const plants = path('../spec/plant-store.openapi.yaml')

type Contestant = { readonly name: string; readonly args: (port: number) => readonly string[] }
type Work = { readonly target: string; readonly method: 'GET' | 'POST'; readonly body?: string }
type Figures = {
  readonly perSecond: number
  readonly p99: number
  readonly readyMs: number
  readonly megabytes: number
}

const say = (text: string): void => void process.stderr.write(`${text}\n`)

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Time from the start of the process to its first answer with status 200. */
const untilReady = async (url: string, { target, method, body }: Work, began: number): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench-token' }
  for (;;) {
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    const answer = await fetch(url + target, request).catch(() => null)
    if (answer?.status === 200) return performance.now() - began
    if (answer !== null) throw new Error(`${url}${target} answers ${answer.status}: ${await answer.text()}`)
    if (performance.now() - began > 60_000) throw new Error('no answer within a minute')
    await new Promise(resolve => setTimeout(resolve, 3))
  }
}

const measure = async ({ args }: Contestant, work: Work): Promise<Figures> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, args(port), {
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port) },
  })
  try {
    const readyMs = await untilReady(url, work, began)
    const load = async (time: number): Promise<{ perSecond: number; failed: number; p99: number }> => {
      const told = [url, String(time), String(connections), work.target, work.method]
      const { stdout, stderr, code } = await runNode([path('./load.ts'), ...told])
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    }
    await load(1)
    const { perSecond, failed, p99 } = await load(seconds)
    if (failed > 0) throw new Error(`${failed} requests were not answered with a success`)
    return { perSecond, p99, readyMs, megabytes: memoryOf(child.pid).most }
  } finally {
    child.kill()
  }
}

// What users start is the package as it is built, not its sources.
execFileSync(process.execPath, [path('../scripts/build.ts')])

const own = (spec: string): Contestant => ({
  name: 'this mock',
  args: port => [
    path('../dist/cli/main.js'),
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
          name: 'Prism CLI 5.16.0, as it comes',
          args: (port: number) => [prism.script, 'mock', '-p', String(port), spec],
        },
        {
          name: 'Prism CLI 5.16.0, without its log',
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
for (const peer of [prism, mockoon, github]) if ('missing' in peer) say(`left out: ${peer.missing}`)

const compare = async (contestants: readonly Contestant[], work: Work): Promise<string> => {
  const all = new Map<Contestant, Figures[]>(contestants.map(one => [one, []]))
  for (let round = 1; round <= rounds; round++)
    for (const [contestant, figures] of all) {
      say(`round ${round} of ${rounds}: ${contestant.name}`)
      figures.push(await measure(contestant, work))
    }
  const of = (contestant: Contestant, pick: (figures: Figures) => number): number =>
    median((all.get(contestant) ?? []).map(pick))
  const mine = contestants.find(({ name }) => name === 'this mock') as Contestant
  const ratio = (contestant: Contestant): string =>
    (of(mine, figures => figures.perSecond) / of(contestant, figures => figures.perSecond)).toPrecision(3)
  const count = (value: number): string => Math.round(value).toLocaleString('en-US')
  return table(
    ['', 'requests a second', 'the mock is', 'p99', 'ready after', 'memory'],
    contestants.map(one => [
      one.name,
      count(of(one, figures => figures.perSecond)),
      one === mine ? '' : `${ratio(one)} times as fast`,
      `${of(one, figures => figures.p99)} ms`,
      `${count(of(one, figures => figures.readyMs))} ms`,
      `${count(of(one, figures => figures.megabytes))} MB`,
    ]),
  )
}

const bare: Contestant = { name: 'bare node:http', args: () => [path('./bare-store.ts')] }
const plant: Work = {
  target: '/plants',
  method: 'POST',
  body: '{"id":4711,"name":"Monstera deliciosa","tag":"indoor"}',
}
const small = await compare([bare, own(plants), ...peers(plants)], plant)
const large =
  'missing' in github
    ? github.missing
    : await compare([own(github.script), ...peers(github.script)], { target: '/zen', method: 'GET' })
publish(
  'bench:mock',
  [
    `\`npm run bench:mock\` on ${machine()}; ${connections} connections, ${seconds} s each after a warm-up, medians of ${rounds} rounds in turn. Ready: from the start of the process to its first answer.`,
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
