/** Where the time of a test case goes: a profile of the suite and of the bare loop against the same store. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode, serve } from './child.ts'
import { machine, publish, table } from './page.ts'
import { type CpuProfile, type Kind, kindOfStack, stacksOf } from './profile/stacks.ts'

const count = 30_000
const concurrency = 16
const token = 'bench-token'
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Microseconds of each kind for a case. */
const profileOf = async (args: readonly string[]): Promise<ReadonlyMap<Kind, number>> => {
  const folder = mkdtempSync(join(tmpdir(), 'plantstore-profile-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    const { code, stderr } = await runNode([...flags, ...args], { cwd: folder })
    if (code !== 0) throw new Error(stderr)
    // A worker thread would have a profile of its own.
    const [file = ''] = readdirSync(folder).filter(name => name.endsWith('.cpuprofile'))
    const profile: CpuProfile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const sums = new Map<Kind, number>()
    for (const { stack, microseconds } of stacksOf(profile)) {
      const kind = kindOfStack(stack)
      sums.set(kind, (sums.get(kind) ?? 0) + microseconds / count)
    }
    return sums
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const store = path('../examples/servers/fastify/server.ts')
const server = await serve(process.execPath, [store], { PORT: '0', TOKEN: token })
try {
  const loop = await profileOf([path('./undici-loop.ts'), server.url, token, `${count}`, `${concurrency}`])
  const suite = await profileOf([
    ...[path('../cli/main.js'), 'verify', server.url, '--token', token, '--seed', '1', '--report', 'json'],
    ...['--cases', `${count}`, '--concurrency', `${concurrency}`],
  ])
  const figure = (value = 0): string => value.toFixed(0)
  const total = (sums: ReadonlyMap<Kind, number>): number =>
    [...sums.values()].reduce((sum, each) => sum + each, 0)
  publish(
    'bench:profile',
    [
      `\`npm run bench:profile\` on ${machine()}: \`node --cpu-prof\` of ${count.toLocaleString('en-US')} cases of the suite, and of as many requests of the bare loop, with starting and reporting; microseconds for each, which profiling makes longer.`,
      '',
      table(
        ['', 'the suite', 'the bare loop'],
        [
          ...[...suite.keys()]
            .toSorted((a, b) => (suite.get(b) ?? 0) - (suite.get(a) ?? 0))
            .map(kind => [kind, figure(suite.get(kind)), figure(loop.get(kind))]),
          ['together', figure(total(suite)), figure(total(loop))],
        ],
      ),
    ].join('\n'),
  )
} finally {
  await server.stop()
}
