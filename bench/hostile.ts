/** Verifies servers and documents that mean harm: exit code 1 if one of them takes more time or memory than promised, or gets a secret. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../tests/broken-servers/index.ts'
import { type HostileServer, hostileServers } from '../tests/hostile/servers.ts'
import { bytesIn, leaksIn } from '../tests/hostile/token-leaks.ts'
import { runNode } from './child.ts'
import { machine, publish, table } from './page.ts'

/** What is promised for each: the time is the limit that the run is given, and half of it again. */
const promised = { maxSeconds: 20, megabytes: 400, written: 40_000_000 } as const
const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))

type Measured = {
  readonly name: string
  readonly cells: readonly string[]
  readonly problems: readonly string[]
}

const only = process.argv.slice(2).find(argument => !argument.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'plantstore-hostile-'))

const verifyServer = async ({ name, parts, codes }: HostileServer): Promise<Measured> => {
  const server = await startServer({ name: 'hostile', about: name, parts: () => parts })
  const out = join(folder, 'out')
  rmSync(out, { recursive: true, force: true })
  const limits = ['--max-time', `${promised.maxSeconds}s`]
  const result = await runNode(
    [main, 'verify', server.url, ...limits, '--seed', '1', '--report', 'all', '--out', out],
    { cwd: folder, env: { PLANTSTORE_TOKEN: server.token, NO_COLOR: '1' } },
  )
  await server.close()
  const seconds = result.ms / 1000
  const written = bytesIn(out)
  const leaks = leaksIn(out, server.token)
  const peak = result.peakMegabytes ?? Number.NaN
  const verdict = /^(?:NOT CONFORMANT|CONFORMANT|PARTIAL|INCONCLUSIVE)/m.exec(result.stdout)?.[0] ?? 'none'
  return {
    name,
    cells: [String(result.code), seconds.toFixed(1), peak.toFixed(0), (written / 1e6).toFixed(1), verdict],
    problems: [
      ...(codes.includes(result.code ?? -1) ? [] : [`exit code ${result.code}`]),
      ...(verdict === 'none' ? ['no verdict'] : []),
      ...(seconds > promised.maxSeconds * 1.5 ? [`${seconds.toFixed(0)} s`] : []),
      ...(peak < promised.megabytes ? [] : [`${peak.toFixed(0)} MB of memory`]),
      ...(written < promised.written ? [] : [`${(written / 1e6).toFixed(0)} MB written`]),
      ...leaks.map(form => `the token is in the reports (${form})`),
    ],
  }
}

const measured: Measured[] = []
for (const server of hostileServers.filter(({ name }) => only === undefined || name.includes(only))) {
  const row = await verifyServer(server)
  measured.push(row)
  process.stderr.write(`${row.name}: ${row.cells.join(' · ')} ${row.problems.join(', ')}\n`)
}
rmSync(folder, { recursive: true, force: true })

const broken = measured.filter(({ problems }) => problems.length > 0)
publish(
  'bench:hostile',
  [
    `\`npm run bench:hostile\` on ${machine()}; \`verify --max-time ${promised.maxSeconds}s --report all\`.`,
    table(
      ['every answer, or every rejection, has', 'exit code', 'seconds', 'peak MB', 'MB written', 'verdict'],
      measured.map(({ name, cells }) => [name, ...cells]),
    ),
    `Beyond what is promised: ${broken.length === 0 ? 'none' : broken.map(({ name, problems }) => `${name} (${problems.join(', ')})`).join('; ')}.`,
  ].join('\n\n'),
  'reliability.md',
)
process.exitCode = broken.length === 0 ? 0 : 1
