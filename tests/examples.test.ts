/** The example servers share no code with the toolkit. Each is started as its README describes, and verified. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verify } from '../conformance/index.ts'
import { emptyFolder, watch } from './cli/command.ts'

const servers = fileURLToPath(new URL('../examples/servers', import.meta.url))

type Example = {
  readonly name: string
  /** A program without which it cannot start. */
  readonly needs: readonly [program: string, ...args: string[]]
  /** Builds it if needed, and returns the command that starts it. */
  readonly command: () => readonly [program: string, ...args: string[]]
}

const examples: readonly Example[] = [
  {
    name: 'python',
    needs: ['python3', '--version'],
    command: () => ['python3', join(servers, 'python/server.py')],
  },
  {
    name: 'go',
    needs: ['go', 'version'],
    command: () => {
      const binary = join(emptyFolder(), 'store')
      execFileSync('go', ['build', '-o', binary, '.'], { cwd: join(servers, 'go'), stdio: 'pipe' })
      return [binary]
    },
  },
  {
    name: 'fastify',
    needs: [process.execPath, '--version'],
    command: () => [process.execPath, join(servers, 'fastify/server.ts')],
  },
]

const token = 'Fern-4b8dE1-Shed'

/** The second run finds the plants of the first one, and the third also sends malformed HTTP. */
const runs = [
  { strict: true },
  { strict: true, cases: 300, sustained: 0 },
  { malformedHttp: true, cases: 400, sustained: 0 },
] as const

for (const { name, needs, command } of examples) {
  const [program, ...args] = needs
  const missing = spawnSync(program, args).status !== 0
  const title = `the ${name} server conforms strictly, also in a second run, and withstands malformed HTTP`
  test.skipIf(missing)(
    missing ? `${title} (skipped: there is no ${program})` : title,
    { timeout: 120_000, concurrent: true },
    async () => {
      const [file, ...rest] = command()
      const server = watch(
        spawn(file, rest, {
          env: { ...process.env, PORT: '0', TOKEN: token },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      )
      try {
        const [, target = ''] = await server.shows(/listening on (http:\S+)/)
        for (const options of runs) {
          const { end, findings } = await verify({ target, token, seed: 11, timeoutMs: 15_000, ...options })
          const counted = findings.filter(({ level }) => level === 'MUST' || 'strict' in options)
          expect({ conclusion: end?.conclusion, counted }).toEqual({ conclusion: 'conformant', counted: [] })
        }
      } finally {
        server.kill('SIGTERM')
      }
      // It has to stop on SIGTERM, as its README says; otherwise it would outlive the tests.
      await server.ended
    },
  )
}
