/** Measures the suite beside the bare undici loop and Schemathesis, all against the same lawful store. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLedger } from '../reports/index.ts'
import type { EndEvent } from '../spec/index.ts'
import { run, runNode, type Server, serve } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { findSchemathesis } from './schemathesis.ts'

const token = 'bench-token'
const count = 30_000
const concurrency = 16
const rounds = 3
const examples = 3000
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plantstore-bench-'))

const store = (): Promise<Server> =>
  serve(process.execPath, [path('../examples/servers/fastify/server.ts')], { PORT: '0', TOKEN: token })

const say = (text: string): void => void process.stderr.write(`${text}\n`)

type Run = { readonly end: EndEvent; readonly ms: number; readonly peakMegabytes: number }

const suite = async (url: string, flags: readonly string[]): Promise<Run> => {
  const ended = await runNode(
    [
      path('../cli/main.ts'),
      'verify',
      url,
      '--token',
      token,
      '--report',
      'ndjson',
      '--out',
      folder,
      ...flags,
    ],
    {},
  )
  const end = readLedger(readFileSync(join(folder, 'ledger.ndjson'), 'utf8')).at(-1)
  if (ended.code !== 0 || end?.type !== 'end')
    throw new Error(`verify failed:\n${ended.stdout}${ended.stderr}`)
  return { end, ms: ended.ms, peakMegabytes: ended.peakMegabytes ?? Number.NaN }
}

const loop = async (url: string): Promise<number> => {
  const { stdout, stderr, code } = await runNode([
    path('./undici-loop.ts'),
    url,
    token,
    String(count),
    String(concurrency),
  ])
  if (code !== 0) throw new Error(stderr)
  return Number(stdout)
}

const schemathesis = async (program: string, url: string): Promise<number> => {
  const { stdout, stderr } = await run(
    program,
    [
      'run',
      path('../spec/plant-store.openapi.yaml'),
      '--url',
      url,
      '--max-examples',
      String(examples),
      '--header',
      `Authorization: Bearer ${token}`,
      '--continue-on-failure',
      '--generation-database',
      'none',
    ],
    { cwd: folder },
  )
  const seconds = /in ([\d.]+)s =*\s*$/.exec(stdout.trimEnd())?.[1]
  const cases = /(\d+) generated/.exec(stdout.replaceAll(',', ''))?.[1]
  if (seconds === undefined || cases === undefined) throw new Error(`Schemathesis says:\n${stdout}${stderr}`)
  return Number(cases) / Number(seconds)
}

const perSecond = ({ end }: Run): number => (end.requests * 1000) / end.ms

const inTurns = async (server: Server) => {
  const loops: number[] = []
  const suites: Run[] = []
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: the bare loop, then the suite`)
    loops.push(await loop(server.url))
    suites.push(await suite(server.url, ['--cases', String(count), '--concurrency', String(concurrency)]))
  }
  return { loop: median(loops), suite: median(suites.map(perSecond)) }
}

const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')

const main = async (server: Server): Promise<void> => {
  const { loop: bare, suite: own } = await inTurns(server)
  say('a first ledger')
  const first = await suite(server.url, ['--cases', '1000'])
  say('200,000 cases')
  const long = await suite(server.url, ['--cases', '200000'])
  say('the same requests at 1, 8 and 64 at a time')
  const digests = []
  for (const at of ['1', '8', '64'])
    digests.push(
      (await suite(server.url, ['--cases', '2000', '--seed', '7', '--concurrency', at])).end.digest,
    )
  say(`Schemathesis, ${examples} examples`)
  const found = findSchemathesis()
  const peer = 'missing' in found ? null : await schemathesis(found.program, server.url)
  publish(
    'bench:verify',
    [
      `\`npm run bench:verify\` on ${machine()}; the store is examples/servers/fastify, in a process of its own; ${concurrency} requests at a time; medians of ${rounds} rounds in turn.`,
      '',
      table(
        ['', 'requests a second', 'ratio'],
        [
          [`bare undici loop, ${thousands(count)} requests`, thousands(bare), '1'],
          [
            `this suite, ${thousands(count)} cases`,
            thousands(own),
            `${((own / bare) * 100).toFixed(0)} % of the bare loop`,
          ],
          [
            'this suite, 200,000 cases',
            thousands(perSecond(long)),
            `${((perSecond(long) / bare) * 100).toFixed(0)} % of the bare loop`,
          ],
          peer === null
            ? ['Schemathesis', `not measured (${'missing' in found ? found.missing : ''})`, '']
            : [
                `Schemathesis, ${thousands(examples)} examples`,
                thousands(peer),
                `the suite is ${thousands(own / peer)} to ${thousands(perSecond(long) / peer)} times as fast`,
              ],
        ],
      ),
      '',
      table(
        ['', ''],
        [
          [
            'a first full ledger: 1,000 cases and the soak',
            `${(first.end.ms / 1000).toFixed(2)} s, ${(first.ms / 1000).toFixed(2)} s with starting and reports`,
          ],
          [
            '200,000 cases',
            `${(long.end.ms / 1000).toFixed(0)} s, ${long.peakMegabytes.toFixed(0)} MB at most`,
          ],
          [
            'digest of the requests at 1, 8 and 64 at a time',
            new Set(digests).size === 1 ? `equal: ${digests[0]?.slice(0, 16)}…` : 'NOT EQUAL',
          ],
        ],
      ),
    ].join('\n'),
  )
}

const server = await store()
try {
  await main(server)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
