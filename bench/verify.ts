/** Compares the suite with the bare undici loop and Schemathesis, all against the same conformant store. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLedger } from '../reports/index.ts'
import type { EndEvent } from '../spec/index.ts'
import { run, runNode, type Server, serve } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { recordRatio } from './ratios.ts'
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

const log = (text: string): void => void process.stderr.write(`${text}\n`)

type Run = { readonly end: EndEvent; readonly ms: number; readonly peakMegabytes: number }

const suite = async (url: string, flags: readonly string[]): Promise<Run> => {
  const result = await runNode(
    [path('../cli/main.js'), 'verify', url, '--token', token, '--report', 'json', '--out', folder, ...flags],
    {},
  )
  const end = readLedger(readFileSync(join(folder, 'ledger.ndjson'), 'utf8')).at(-1)
  if (result.code !== 0 || end?.type !== 'end')
    throw new Error(`verify failed:\n${result.stdout}${result.stderr}`)
  return { end, ms: result.ms, peakMegabytes: result.peakMegabytes ?? Number.NaN }
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
      path('../spec/openapi/plant-store.openapi.yaml'),
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
  if (seconds === undefined || cases === undefined)
    throw new Error(`Schemathesis printed no summary:\n${stdout}${stderr}`)
  return Number(cases) / Number(seconds)
}

const perSecond = ({ end }: Run): number => (end.requests * 1000) / end.ms

const alternate = async (server: Server) => {
  const loops: number[] = []
  const suites: Run[] = []
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round} of ${rounds}: the bare loop, then the suite`)
    loops.push(await loop(server.url))
    suites.push(await suite(server.url, ['--cases', String(count), '--concurrency', String(concurrency)]))
  }
  recordRatio('verify · bare undici loop', suites.map(perSecond), loops)
  return { loop: median(loops), suite: median(suites.map(perSecond)) }
}

const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')

const main = async (server: Server): Promise<void> => {
  const { loop: bare, suite: ours } = await alternate(server)
  log('a first run, as it is by default')
  const first = await suite(server.url, [])
  log('200,000 cases')
  const long = await suite(server.url, ['--cases', '200000'])
  log('the same requests at a concurrency of 1, 8 and 64')
  const digests = []
  for (const at of ['1', '8', '64'])
    digests.push(
      (await suite(server.url, ['--cases', '2000', '--seed', '7', '--concurrency', at])).end.digest,
    )
  log(`Schemathesis, ${examples} examples`)
  const found = findSchemathesis()
  const peer = 'missing' in found ? null : await schemathesis(found.program, server.url)
  if (peer !== null) recordRatio('verify · Schemathesis', [ours], [peer])
  publish(
    'bench:verify',
    [
      `\`npm run bench:verify\` on ${machine()}; the store is examples/servers/fastify, in a separate process; concurrency ${concurrency}; medians of ${rounds} alternating rounds.`,
      '',
      table(
        ['', 'requests per second', 'ratio'],
        [
          [`bare undici loop, ${thousands(count)} requests`, thousands(bare), '1'],
          [
            `this suite, ${thousands(count)} cases`,
            thousands(ours),
            `${((ours / bare) * 100).toFixed(0)} % of the bare loop`,
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
                `the suite is ${thousands(ours / peer)} to ${thousands(perSecond(long) / peer)} times as fast`,
              ],
        ],
      ),
      '',
      table(
        ['', ''],
        [
          [
            'a first full run: 1,500 cases and sustained load',
            `${(first.end.ms / 1000).toFixed(2)} s, ${(first.ms / 1000).toFixed(2)} s with start-up and reports`,
          ],
          [
            '200,000 cases',
            `${(long.end.ms / 1000).toFixed(0)} s, ${long.peakMegabytes.toFixed(0)} MB at its peak`,
          ],
          [
            'digest of the requests at a concurrency of 1, 8 and 64',
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
