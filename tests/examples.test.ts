/** The example servers share no code with the toolkit; each is started as its README says, and judged. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyFolder, plantstore, watch } from './cli/command.ts'

const servers = fileURLToPath(new URL('../examples/servers', import.meta.url))

type Example = {
  readonly name: string
  /** A program without which it cannot be started. */
  readonly needs: readonly [program: string, ...args: string[]]
  /** The command that starts it, after what there is to build. */
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

for (const { name, needs, command } of examples) {
  const [program, ...args] = needs
  const missing = spawnSync(program, args).status !== 0
  const title = `the ${name} server keeps the contract, also on a second run, with --strict and with --wire`
  test.skipIf(missing)(
    missing ? `${title} (skipped: ${program} is not here)` : title,
    { timeout: 120_000 },
    async () => {
      const [file, ...rest] = command()
      const server = watch(
        spawn(file, rest, {
          env: { ...process.env, PORT: '0', TOKEN: token },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      )
      try {
        const [, url = ''] = await server.shows(/listening on (http:\S+)/)
        for (const flags of [[], ['--strict'], ['--wire', '--cases', '300']]) {
          const { code, stdout } = await plantstore([
            'verify',
            url,
            '--token',
            token,
            '--seed',
            '11',
            ...flags,
          ])
          expect({ code, stdout }).toMatchObject({ code: 0 })
        }
      } finally {
        server.kill('SIGTERM')
      }
      // The README says that it stops on SIGTERM; a server that did not would outlive the tests.
      await server.ended
    },
  )
}
