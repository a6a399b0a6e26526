/** The example front ends are tested as their READMEs describe, with the checkout's packages and browser. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { plantStoreDocument } from '../spec/index.ts'
import { launchOptions } from './browser.ts'
import { shopDocument } from './documents/index.ts'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const run = async (
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) => {
  const { FORCE_COLOR: _, ...inherited } = process.env
  const options = {
    cwd: join(root, folder),
    env: { ...inherited, PATH: `${bin}${delimiter}${inherited.PATH}`, ...env },
    maxBuffer: 2 ** 26,
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options)
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

const examples = [
  {
    folder: 'examples/frontend',
    document: plantStoreDocument,
    ports: ['MOCK_PORT', 'APP_PORT'],
    needs: 'node',
    outcome: '5 passed',
    title: 'its own tests pass, against the mock in two mounts',
  },
  {
    folder: 'examples/shop',
    document: shopDocument,
    ports: ['MOCK_APP_PORT', 'REAL_APP_PORT', 'SHOP_PORT'],
    needs: 'python3',
    outcome: '10 passed',
    title: 'its own tests pass, against the mock and against a real server',
  },
] as const

describe.each(examples)('$folder', ({ folder, document, ports, needs, outcome, title }) => {
  test('its types are those of today’s document, and the app conforms to them', async () => {
    const digest = createHash('sha256').update(readFileSync(document)).digest('hex')
    expect(read(`${folder}/src/contract.d.ts`)).toContain(`the SHA-256 ${digest}.`)
    expect(await run(folder, 'tsc', ['-p', '.'])).toEqual({ code: 0, output: '' })
  })

  test('its dependencies are pinned to the versions that are tested here', () => {
    const repository = pinned('package.json')
    // openapi-typescript needs an older compiler than the repository: both are used only to generate types.
    const { 'openapi-typescript': generator, typescript, ...rest } = pinned(`${folder}/package.json`)
    expect(`${generator} ${typescript}`).toMatch(/^\d+\.\d+\.\d+ 5\.\d+\.\d+$/)
    for (const [name, version] of Object.entries(rest))
      expect([name, repository[name]]).toEqual([name, version])
  })

  const missing = spawnSync(needs, ['--version']).status !== 0
  const fullTitle = missing ? `${title} (skipped: there is no ${needs})` : title
  test.skipIf(missing)(fullTitle, { timeout: 120_000 }, async () => {
    const { executablePath } = await launchOptions()
    const chosen = await Promise.all(ports.map(async name => [name, await freePort()]))
    const env = { ...Object.fromEntries(chosen), PLANTSTORE_BROWSER: executablePath }
    const { code, output } = await run(folder, 'playwright', ['test', '--output', emptyFolder()], env)
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(outcome) })
  })
})

function pinned(file: string): Record<string, string> {
  const { dependencies, devDependencies } = JSON.parse(read(file))
  return { ...dependencies, ...devDependencies }
}
