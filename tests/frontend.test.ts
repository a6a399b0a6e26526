/** The example front end is tested as its README describes, with the checkout's packages and browser. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { plantStoreDocument } from '../spec/index.ts'
import { launchOptions } from './browser.ts'
import { emptyFolder } from './folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'examples/frontend')
const bin = join(root, 'node_modules/.bin')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

const run = async (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { FORCE_COLOR: _, ...inherited } = process.env
  const options = {
    cwd: folder,
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

const freePort = (): Promise<string> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(String(port)))
    })
  })

test('its types are those of today’s document, and the app conforms to them', async () => {
  const digest = createHash('sha256').update(readFileSync(plantStoreDocument)).digest('hex')
  expect(read('src/contract.d.ts')).toContain(`the SHA-256 ${digest}.`)
  expect(await run('tsc', ['-p', '.'])).toEqual({ code: 0, output: '' })
})

test('its dependencies are pinned to the versions that are tested here', () => {
  const pinned = (text: string): Record<string, string> => {
    const { dependencies, devDependencies } = JSON.parse(text)
    return { ...dependencies, ...devDependencies }
  }
  const examples = pinned(read('package.json'))
  const repository = pinned(readFileSync(join(root, 'package.json'), 'utf8'))
  // openapi-typescript needs an older compiler than the repository: both are used only to generate types.
  const { 'openapi-typescript': generator, typescript, ...rest } = examples
  expect(`${generator} ${typescript}`).toMatch(/^\d+\.\d+\.\d+ 5\.\d+\.\d+$/)
  for (const [name, version] of Object.entries(rest))
    expect([name, repository[name]]).toEqual([name, version])
})

test('its own tests pass, against the mock in two mounts', async () => {
  const { executablePath } = await launchOptions()
  const [MOCK_PORT, APP_PORT] = [await freePort(), await freePort()]
  const env = { MOCK_PORT, APP_PORT, PLANTSTORE_BROWSER: executablePath }
  const { code, output } = await run('playwright', ['test', '--output', emptyFolder()], env)
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('5 passed') })
}, 120_000)
