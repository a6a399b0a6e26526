/** Compares the mock with bare node:http, Prism CLI and Mockoon CLI: requests per second, time to readiness, memory. */
import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../tests/free-port.ts'
import { memoryOf, runNode } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { findPeer } from './peers.ts'
import { recordRatio } from './ratios.ts'
import { plantWork, untilReady, type Work } from './ready.ts'

const rounds = 3
const seconds = 4
const connections = 32
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const plants = path('../spec/openapi/plant-store.openapi.yaml')

type Contestant = { readonly name: string; readonly args: (port: number) => readonly string[] }
type Figures = {
  readonly perSecond: number
  readonly p99: number
  readonly readyMs: number
  readonly megabytes: number
}

const log = (text: string): void => void process.stderr.write(`${text}\n`)

const measure = async ({ args }: Contestant, work: Work): Promise<Figures> => {
  const port = Number(await freePort())
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

const compare = async (title: string, contestants: readonly Contestant[], work: Work): Promise<string> => {
  const all = new Map<Contestant, Figures[]>(contestants.map(contestant => [contestant, []]))
  for (let round = 1; round <= rounds; round++)
    for (const [contestant, figures] of all) {
      log(`round ${round} of ${rounds}: ${contestant.name}`)
      figures.push(await measure(contestant, work))
    }
  const roundsOf = (contestant: Contestant, pick: (figures: Figures) => number): readonly number[] =>
    (all.get(contestant) ?? []).map(pick)
  const of = (contestant: Contestant, pick: (figures: Figures) => number): number =>
    median(roundsOf(contestant, pick))
  const ours = contestants.find(({ name }) => name === 'this mock') as Contestant
  const ratio = (contestant: Contestant): string =>
    (of(ours, figures => figures.perSecond) / of(contestant, figures => figures.perSecond)).toPrecision(3)
  for (const contestant of contestants.filter(each => each !== ours)) {
    const name = `${title} · ${contestant.name}`
    recordRatio(
      `${name} · requests per second`,
      roundsOf(ours, each => each.perSecond),
      roundsOf(contestant, each => each.perSecond),
    )
    recordRatio(
      `${name} · ready after`,
      roundsOf(contestant, each => each.readyMs),
      roundsOf(ours, each => each.readyMs),
    )
    recordRatio(
      `${name} · peak memory`,
      roundsOf(contestant, each => each.megabytes),
      roundsOf(ours, each => each.megabytes),
    )
  }
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
const small = await compare('mock', [bare, ourMock(plants), ...peers(plants)], plantWork)
const ofGitHub = async (title: string, target: string): Promise<string> =>
  'missing' in github
    ? github.missing
    : compare(title, [ourMock(github.script), ...peers(github.script)], { target, method: 'GET' })
const large = await ofGitHub('mock of GitHub', '/zen')
const madeUp = await ofGitHub('mock of GitHub, a repository', '/repos/octocat/hello')
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
    '',
    'GET /repos/octocat/hello of the same description, the same request each time, with a response of 20 kB:',
    '',
    madeUp,
  ].join('\n'),
)
