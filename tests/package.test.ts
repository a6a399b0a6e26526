/** What is published is what was tested: the tarball is packed, installed elsewhere, run and type-checked. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyFolder } from './cli/command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  readonly name: string
  readonly version: string
  readonly allowScripts: Readonly<Record<string, boolean>>
  readonly scarfSettings: { readonly enabled: boolean }
}

type Ran = { readonly code: number; readonly output: string; readonly stdout: string }

/** Runs a program with the checkout's own Node and tools first. */
const run = async (cwd: string, program: string, ...args: readonly string[]): Promise<Ran> => {
  const { FORCE_COLOR: _, ...ours } = process.env
  const env = { ...ours, PATH: `${bin}${delimiter}${ours.PATH}`, NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })
    return { code: 0, output: stdout + stderr, stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr, stdout }
  }
}

const folder = emptyFolder()
const consumer = join(folder, 'consumer')
let tarball = ''
let packed: readonly string[] = []

beforeAll(async () => {
  const { code, output } = await run(root, 'npm', 'pack', '--json', '--silent', '--pack-destination', folder)
  expect({ code, output }).toMatchObject({ code: 0 })
  const listed = JSON.parse(output.slice(output.search(/^[[{]/m))) as unknown
  const [entry] = Object.values(listed as Record<string, Packed>)
  tarball = join(folder, entry?.filename ?? '')
  packed = (entry?.files ?? []).map(({ path }) => path).sort()
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  const installed = await run(
    consumer,
    'npm',
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    tarball,
  )
  expect({ installed }).toMatchObject({ installed: { code: 0 } })
}, 240_000)

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

describe('the tarball', () => {
  test('holds each source file compiled and declared, the files that it reads, and nothing else', () => {
    const sources = globSync(['index.ts', '{spec,mock,conformance,reports,playwright,cli}/**/*.ts'], {
      cwd: root,
    })
      .filter(file => !file.endsWith('.d.ts'))
      .map(file => file.slice(0, -'.ts'.length))
    // The page of the mock's console: browsers read it, nobody imports it.
    const page = 'mock/console/page/'
    const styles = globSync(`${page}*.css`, { cwd: root }).map(file => `dist/${file}`)
    const expected = [
      ...styles,
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      ...['config', 'waivers', 'baseline', 'pins'].map(name => `dist/cli/${name}.schema.json`),
      'dist/reports/report.schema.json',
      'dist/spec/plant-store.openapi.yaml',
      'dist/spec/plant-store.rules.yaml',
      ...sources.flatMap(file => [
        `dist/${file}.js`,
        ...(file.startsWith(page) ? [] : [`dist/${file}.d.ts`]),
      ]),
    ]
    expect(packed).toEqual(expected.sort())
  })

  test('names no TypeScript source in its imports, which nobody could resolve', () => {
    const built = join(consumer, 'node_modules', manifest.name, 'dist')
    const texts = globSync('**/*.{js,d.ts}', { cwd: built })
    expect(texts.length).toBeGreaterThan(100)
    const named = texts.filter(file =>
      /(?:from |import\()['"][^'"]+\.ts['"]/.test(readFileSync(join(built, file), 'utf8')),
    )
    expect(named).toEqual([])
  })

  test('is what publint and are-the-types-wrong want', async () => {
    const [lint, types] = await Promise.all([
      run(root, 'publint', 'run', tarball, '--strict'),
      run(root, 'attw', tarball, '--profile', 'esm-only', '--no-color'),
    ])
    expect(lint.output).toContain('All good!')
    expect(lint.code).toBe(0)
    // Two ways in count for a package of ES modules; each of the nine entries and four schemas is sound by both.
    expect(types.output.match(/^(node16 \(from ESM\)|bundler): 🟢/gm)).toHaveLength(26)
    expect(types.code).toBe(0)
  }, 60_000)
})

describe('installed in an empty folder', () => {
  test('a certificate is HTML, as the package playwright is not there, and it says how to have a PDF', async () => {
    const made = await run(consumer, 'npx', 'plantstore', 'verify', '--cases', '20', '--out', 'few')
    expect(made).toMatchObject({ code: 0 })
    const { code, output } = await run(consumer, 'npx', 'plantstore', 'certificate', 'few/ledger.ndjson')
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain('written: plantstore-certificate.html')
    expect(output).toContain('`npm install --save-dev playwright` brings it')
  }, 60_000)

  test('the command verifies its mock, and leaves the reports', async () => {
    const { code, output } = await run(
      consumer,
      'npx',
      'plantstore',
      'verify',
      '--cases',
      '300',
      '--out',
      'out',
    )
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toMatch(/^CONFORMANT /m)
    for (const file of ['ledger.ndjson', 'report.json', 'junit.xml', 'report.html'])
      expect(existsSync(join(consumer, 'out', file))).toBe(true)
  }, 60_000)

  test('the command tells its help and its version', async () => {
    const [help, version] = await Promise.all([
      run(consumer, 'npx', 'plantstore', '--help'),
      run(consumer, 'npx', 'plantstore', '--version'),
    ])
    expect(help).toMatchObject({
      code: 0,
      stdout: readFileSync(join(root, 'tests/cli/golden/help.txt'), 'utf8'),
    })
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
  }, 60_000)

  test('the console of its mock has all that its page asks for', async () => {
    writeFileSync(join(consumer, 'console.ts'), consoleProgram)
    const { code, output } = await run(consumer, process.execPath, 'console.ts')
    expect({ code, output }).toEqual({ code: 0, output: 'all there\n' })
  }, 60_000)

  test('the fixture of Playwright loads without Playwright, which is handed in', async () => {
    const { code, output } = await run(
      consumer,
      process.execPath,
      '--input-type=module',
      '--eval',
      `console.log(Object.keys(await import('${manifest.name}/mock/playwright')).join())`,
    )
    expect({ code, output }).toEqual({ code: 0, output: 'mockPage,withMock\n' })
  })

  const old = olderNode()
  test.skipIf(old === null)('an older Node is told what is needed, in one line', async () => {
    const main = join(consumer, 'node_modules', manifest.name, 'dist/cli/main.js')
    const { code, output } = await run(consumer, old ?? '', main, 'verify')
    expect(code).toBe(2)
    expect(output).toMatch(
      /^plantstore: Node 24\.18 or newer is needed, and this is \d+\.\d+\.\d+ \([^\n]*\)\n$/,
    )
  })

  test('a program written against every entry does what it says', async () => {
    writeFileSync(join(consumer, 'program.ts'), program)
    const { code, output } = await run(consumer, process.execPath, 'program.ts')
    expect({ code, output }).toEqual({ code: 0, output: 'conformant: 1 operation, nothing broken\n' })
  }, 60_000)

  test.each([
    ['nodenext', []],
    ['bundler', []],
    ['nodenext', ['node']],
    ['bundler', ['node']],
  ] as const)(
    'the program type-checks with %s resolution, and %j for ambient types',
    async (resolution, types) => {
      writeFileSync(join(consumer, 'program.ts'), program)
      const config = `tsconfig.${resolution}-${types.length}.json`
      writeFileSync(join(consumer, config), JSON.stringify(tsconfig(resolution, types)))
      expect(await run(consumer, 'tsc', '-p', config)).toMatchObject({ code: 0, output: '' })
    },
    60_000,
  )
})

describe('install scripts', () => {
  test('are named one by one: Node’s own is allowed, analytics are refused', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean }>
    }
    const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
    )
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(scripted)].sort())
    expect(manifest.allowScripts).toEqual({ node: true, '@scarf/scarf': false })
    expect(manifest.scarfSettings.enabled).toBe(false)
  })

  test('the lockfile holds the optional packages of every platform: without them npm ci fails on another one', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const names = new Set(Object.keys(packages).map(path => path.replace(/^.*node_modules\//, '')))
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter(name => !names.has(name)),
    )
    expect(missing).toEqual([])
  })

  test('the lockfile names no host: any registry will do', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": *"https?:/)
  })
})

/** The first Node on PATH that is too old for us, where there is one. */
function olderNode(): string | null {
  const candidates = (process.env.PATH ?? '').split(delimiter).map(place => join(place, 'node'))
  const tooOld = (file: string): boolean => {
    const [, major = '24'] =
      /^v(\d+)\./.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
    return Number(major) < 24
  }
  return candidates.find(file => existsSync(file) && tooOld(file)) ?? null
}

const tsconfig = (resolution: 'nodenext' | 'bundler', types: readonly string[]): object => ({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    lib: types.length === 0 ? ['es2022', 'dom', 'dom.iterable'] : ['es2022'],
    types,
    typeRoots: [join(root, 'node_modules/@types')],
    // The published declarations are checked as well, as they are all that a user sees.
    skipLibCheck: false,
  },
  files: ['program.ts'],
})

const consoleProgram = `
import { createMock } from '${manifest.name}/mock'

const mock = await createMock()
const asked = new Set<string>()
const load = async (url: URL): Promise<void> => {
  if (asked.has(url.href)) return
  asked.add(url.href)
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(url.href + ' ' + text)
  const names = [...text.matchAll(/(?:from ?|src=|href=)["']([^"'#]+\\.(?:js|css))["']/g)].map(match => match[1] ?? '')
  await Promise.all(names.map(name => load(new URL(name, url))))
}
await load(new URL('/__plantstore/', mock.url))
const libraries = ['preact', 'preact-hooks', 'htm', 'htm-preact']
await Promise.all(libraries.map(name => load(new URL('/__plantstore/library/' + name + '.js', mock.url))))
await mock.close()
if (asked.size < 30) throw new Error('only ' + asked.size + ' files')
console.log('all there')
`

const program = `
import { createMock, type Ledger, loadContract, type Mock, obligationsOf, verify } from '${manifest.name}'
import { type Finding, plantStoreDocument, type RunEvent, tally } from '${manifest.name}/spec'
import { createHandler, createMock as createSame, type Handler, type MockOptions } from '${manifest.name}/mock'
import { type VerifyOptions, verify as verifySame } from '${manifest.name}/conformance'
import { type FormatName, reports } from '${manifest.name}/reports'

const same: boolean = createSame === createMock && verifySame === verify
if (!same) throw new Error('an entry holds another copy')

const options: MockOptions = { tokens: ['secret'] }
const mock: Mock = await createMock(options)
const found: Finding[] = []
const asked: VerifyOptions = {
  target: mock.url,
  token: 'secret',
  cases: 250,
  seed: 1,
  onEvent: (event: RunEvent) => {
    if (event.type === 'finding') found.push(event)
  },
}
const ledger: Ledger = await verify(asked)
await mock.close()

const handler: Handler = await createHandler(options)
const refused: Response = await handler(new Request('https://any.example.test/plants', { method: 'POST' }))
if (refused.status !== 400) throw new Error('the handler is another mock')

const contract = await loadContract({ from: decodeURIComponent(plantStoreDocument.pathname) })
const ids: readonly string[] = obligationsOf(contract).map(obligation => obligation.id)
if (ids.length !== ledger.entries.length) throw new Error('another contract')
const format: FormatName = 'junit'
if (!reports[format].write(ledger).startsWith('<?xml')) throw new Error('no report')
const { broken, kept } = tally(ledger.entries)
// @ts-expect-error a verdict is data, and is not changed
ledger.entries[0].verdict = { kind: 'kept', cases: 0 }

const word = broken === 0 && found.length === 0 && kept > 0 ? 'nothing' : 'something'
console.log(\`\${ledger.end?.conclusion}: \${contract.operations.length} operation, \${word} broken\`)
`
