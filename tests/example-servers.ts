/** The example servers, which share no code with the toolkit. Each is started as its README describes. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type TestOptions, test } from 'vitest'
import { type Started, watch } from './cli/command.ts'
import { emptyFolder } from './folder.ts'

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

/** The token of every example that is started. */
export const exampleToken = 'Fern-4b8dE1-Shed'

/** Starts an example, gives its base URL to `use`, and waits until it has ended: it has to stop on SIGTERM, as its README says. */
const withExample = async ({ command }: Example, use: (url: string) => Promise<void>): Promise<void> => {
  const [file, ...rest] = command()
  const env = { ...process.env, PORT: '0', TOKEN: exampleToken }
  const server: Started = watch(spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  try {
    const [, url = ''] = await server.shows(/listening on (http:\S+)/)
    await use(url)
  } finally {
    server.kill('SIGTERM')
  }
  await server.ended
}

/** One test for each example, which is skipped where the program that it needs is missing. `use` gets its base URL. */
export const testExamples = (
  titleOf: (name: string) => string,
  options: TestOptions,
  use: (url: string) => Promise<void>,
): void => {
  for (const example of examples) {
    const [program, ...args] = example.needs
    const isMissing = spawnSync(program, args).status !== 0
    const title = titleOf(example.name)
    test.skipIf(isMissing)(isMissing ? `${title} (skipped: there is no ${program})` : title, options, () =>
      withExample(example, use),
    )
  }
}
