/** What is published is tested as such: the tarball is packed, installed in an empty folder, run and type-checked. */
import { execFile, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleProgram, program, samplesProgram, tsconfig } from './consumer.ts'
import { emptyFolder } from './folder.ts'
import { createAuthority, hasOpenssl, reply, served } from './time-stamp-authority.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly browser: Readonly<Record<string, false>>
  readonly allowScripts: Readonly<Record<string, boolean>>
  readonly scarfSettings: { readonly enabled: boolean }
}

type Ran = { readonly code: number; readonly output: string; readonly stdout: string }

/** Runs a program with the Node that runs the tests first (npm run test:node26 has another), then the checkout's tools. */
const run = async (cwd: string, program: string, ...args: readonly string[]): Promise<Ran> => {
  const { FORCE_COLOR: _, ...ours } = process.env
  const path = [dirname(process.execPath), bin, ours.PATH].join(delimiter)
  // The compiler is a Go program, and ends before it would be worth its while to collect garbage.
  const env = { ...ours, PATH: path, NO_COLOR: '1', GOGC: 'off' }
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
const plantstore = join(consumer, 'node_modules/.bin/plantstore')
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
    '--prefer-offline',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    tarball,
  )
  expect({ installed }).toMatchObject({ installed: { code: 0 } })
}, 240_000)

let verifying: Promise<Ran> | null = null
/** The one run of the installed command, with reports in `out` and a bundle `run.zip`, which several tests look at. */
const verified = (): Promise<Ran> => {
  verifying ??= run(consumer, plantstore, 'verify', 'embedded-mock', '--out', 'out', '--bundle', 'run.zip')
  return verifying
}

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

describe('the tarball', () => {
  test('contains each source file, compiled, with the data it reads, and nothing else', () => {
    const sources = globSync(
      ['index.ts', '{spec,generator,mock,conformance,reports,playwright-runner,cli}/**/*.{ts,js}'],
      {
        cwd: root,
      },
    )
      .filter(file => !file.endsWith('.d.ts'))
      .map(file => file.slice(0, -'.ts'.length))
    // Browsers load the page of the console; no program imports it.
    const page = 'mock/console/page/'
    // These have libraries in them, with the licences, and without types of packages that are not installed.
    const bundled = [
      'spec/prism-library',
      'mock/lru-cache',
      'spec/openapi/overlay/json-path-library',
      'spec/flows/xpath-library',
      'mock/server/self-signed',
      'reports/bundle/tsp-library',
    ]
    // The command is in few files that start at once; the library has of its room what configurations are written with.
    const isInCommand = (file: string): boolean =>
      file.startsWith('cli/') && !['cli/index', 'cli/define-config'].includes(file)
    const data = ['{spec,reports,cli}/**/*.{yaml,schema.json}', `${page}**/*.css`]
    const expected = [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'action.yml',
      'package.json',
      // What the README and the pages of docs/ refer to.
      ...spawnSync(
        'git',
        ['ls-files', 'docs', 'examples', 'spec/openapi/*.yaml', 'cli/config/*.schema.json'],
        {
          cwd: root,
          encoding: 'utf8',
        },
      )
        .stdout.trimEnd()
        .split('\n'),
      ...globSync(data, { cwd: root }).map(file => `dist/${file}`),
      ...bundled.map(file => `dist/${file}.licenses.txt`),
      // Where its threads begin.
      'dist/cli/handlers/selftest/selftest-worker.js',
      ...packed.filter(file => /^dist\/bin\/[\w-]+\.js$/.test(file)),
      'dist/bin/plantstore.licenses.txt',
      ...packed.filter(file => file.endsWith('.d.ts') && file.startsWith('dist/')),
      ...sources.filter(file => !isInCommand(file)).map(file => `dist/${file}.js`),
    ]
    expect(packed).toEqual(expected.sort())
    expect(packed).toContain('dist/bin/plantstore.js')
  })

  test('declares what its entries lead to, and no more', () => {
    const folder = join(consumer, 'node_modules', manifest.name, 'dist')
    const declared = globSync('**/*.d.ts', { cwd: folder })
    const entries = Object.values(
      manifest.exports as Record<string, string | { readonly types: string }>,
    ).flatMap(entry => (typeof entry === 'string' ? [] : [entry.types.replace('./dist/', '')]))
    const referred = new Set(entries)
    for (const file of declared)
      for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
        /(?:from |import\()['"](\.[^'"]*)\.js['"]/g,
      ))
        referred.add(join(dirname(file), `${path}.d.ts`))
    expect(declared.toSorted()).toEqual([...referred].toSorted())
  })

  test('has every page and picture that its README and its pages refer to', () => {
    const installed = join(consumer, 'node_modules', manifest.name)
    const pages = ['README.md', ...globSync('docs/*.md', { cwd: installed })]
    const links = pages.flatMap(page =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter(target => !/^[a-z]+:/.test(target))
        .map(target => join(installed, page, '..', target)),
    )
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter(file => !existsSync(file))).toEqual([])
  })

  test('imports no TypeScript source, which nobody could resolve', () => {
    const built = join(consumer, 'node_modules', manifest.name, 'dist')
    const texts = globSync('**/*.{js,d.ts}', { cwd: built })
    expect(texts.length).toBeGreaterThan(100)
    const named = texts.filter(file =>
      /(?:from |import\()['"][^'"]+\.ts['"]/.test(readFileSync(join(built, file), 'utf8')),
    )
    expect(named).toEqual([])
  })

  test('satisfies publint and are-the-types-wrong', async () => {
    const [lint, types] = await Promise.all([
      // It suggests a condition of `imports` for `browser`, which a checkout without a build could not resolve.
      run(root, 'publint', 'run', tarball, '--strict', '--level', 'warning'),
      run(root, 'attw', tarball, '--profile', 'esm-only', '--no-color'),
    ])
    expect(lint.output).toContain('All good!')
    expect(lint.code).toBe(0)
    // A package of ES modules is resolved in two ways, and each entry is sound in both.
    expect(types.output.match(/^(node16 \(from ESM\)|bundler): 🟢/gm)).toHaveLength(
      2 * Object.keys(manifest.exports).length,
    )
    expect(types.code).toBe(0)
  }, 60_000)
})

describe('installed in an empty folder', () => {
  test('it takes less than 41 MB, in at most 50 packages', () => {
    const modules = join(consumer, 'node_modules')
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
    // Blocks of 512 bytes, as du counts them.
    const bytes = files.reduce(
      (sum, file) => sum + statSync(join(file.parentPath, file.name)).blocks * 512,
      0,
    )
    expect(bytes / 1e6).toBeLessThan(41)
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    expect(Object.keys(packages).length).toBeLessThanOrEqual(50)
  })

  test('nothing is there twice: what is in the files of the command is not installed, and what they import is', () => {
    const { packages } = JSON.parse(readFileSync(join(consumer, 'node_modules/.package-lock.json'), 'utf8'))
    const installed = new Set(Object.keys(packages).map(path => path.replace(/^.*node_modules\//, '')))
    const dist = join(consumer, 'node_modules', manifest.name, 'dist')
    const licences = readFileSync(join(dist, 'bin/plantstore.licenses.txt'), 'utf8')
    const inlined = [...licences.matchAll(/^(\S+) \d+\.\d+\.\S+ \(\S+\)$/gm)].map(([, name = '']) => name)
    expect(inlined).toContain('oauth4webapi')
    expect(inlined.filter(name => installed.has(name))).toEqual([])
    const imported = globSync('bin/*.js', { cwd: dist }).flatMap(file =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/^import .*? from "([^".][^"]*)";$/gm)].map(
        ([, path = '']) => path,
      ),
    )
    expect(imported).toContain('yaml')
    const foreign = imported.filter(path => !path.startsWith('node:'))
    const names = foreign.map(path => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '')
    expect(names.filter(name => !installed.has(name))).toEqual([])
  })

  test('a bundler for browsers leaves Prism out, which runs on Node only', () => {
    const { browser } = manifest
    expect(browser).toEqual({ './dist/spec/prism-library.js': false })
    for (const file of Object.keys(browser)) expect(packed).toContain(file.slice('./'.length))
  })

  test('the package reads a Postman collection, without a warning', async () => {
    const request = { method: 'GET', url: 'http://localhost/todos?page=1' }
    const item = [{ name: 'todos', request, response: [{ code: 200, body: 'none' }] }]
    writeFileSync(join(consumer, 'todos.json'), JSON.stringify({ info: { name: 'Todos' }, item }))
    const { code, output } = await run(consumer, plantstore, 'obligations', '--spec', 'todos.json')
    expect({ code, isWarned: /Warning/.test(output) }).toEqual({ code: 0, isWarned: false })
    expect(output).toContain('get-todos/request/valid')
  })

  test('Prism in the package gives the samples of Prism itself, without a warning', async () => {
    writeFileSync(join(consumer, 'samples.ts'), samplesProgram)
    const library = join(consumer, 'node_modules', manifest.name, 'dist/spec/prism-library.js')
    const [bundled, itself] = await Promise.all(
      [library, join(root, 'spec/prism-library.ts')].map(file =>
        run(consumer, 'node', 'samples.ts', file, join(root, 'tests/documents')),
      ),
    )
    expect(bundled).toMatchObject({ code: 0 })
    expect(bundled?.output.length).toBeGreaterThan(5_000)
    expect(bundled?.output).toBe(itself?.output)
    const licences = readFileSync(library.replace(/\.js$/, '.licenses.txt'), 'utf8')
    for (const name of ['@stoplight/prism-http 5', '@faker-js/faker 10', 'lodash 4'])
      expect(licences).toContain(name)
  }, 60_000)

  test('without the package playwright a test record is HTML, and the command prints how to get a PDF', async () => {
    expect(await verified()).toMatchObject({ code: 0 })
    const flags = ['--format', 'record', '--out', 'record.pdf']
    const { code, output } = await run(consumer, plantstore, 'report', 'out/ledger.ndjson', ...flags)
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toContain('written: record.html')
    expect(output).toContain('the package playwright is not installed (npm install --save-dev playwright)')
  }, 60_000)

  test('the command verifies its mock and writes the reports, on the Node that runs the tests', async () => {
    expect((await run(consumer, 'node', '--version')).stdout).toBe(`${process.version}\n`)
    const { code, output } = await verified()
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toMatch(/^CONFORMANT /m)
    for (const file of ['ledger.ndjson', 'report.json', 'junit.xml', 'report.html'])
      expect(existsSync(join(consumer, 'out', file))).toBe(true)
  }, 60_000)

  test.skipIf(!hasOpenssl)(
    'the command asks for a time stamp and reads it (skipped without OpenSSL)',
    async () => {
      const { privateKey } = generateKeyPairSync('ed25519')
      writeFileSync(join(consumer, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
      expect(await verified()).toMatchObject({ code: 0 })
      const { answer, caFile } = createAuthority()
      const { url, close } = await served((body, response) => reply(response, answer(body)))
      const flags = ['--key', 'key.pem', '--timestamp-authority', url, '--timestamp-ca', caFile]
      const { code, output } = await run(consumer, plantstore, 'bundle', 'sign', 'run.zip', ...flags)
      await close()
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('\ntime stamp of 2'),
      })
    },
    60_000,
  )

  test('the command prints its help and its version', async () => {
    const [help, version] = await Promise.all([
      run(consumer, plantstore, '--help'),
      run(consumer, plantstore, '--version'),
    ])
    expect(help).toMatchObject({
      code: 0,
      stdout: readFileSync(join(root, 'tests/cli/commands/golden/help.txt'), 'utf8'),
    })
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
  }, 60_000)

  test('the console of the mock has everything that its page loads', async () => {
    writeFileSync(join(consumer, 'console.ts'), consoleProgram(manifest.name))
    const { code, output } = await run(consumer, process.execPath, 'console.ts')
    expect({ code, output }).toEqual({ code: 0, output: 'all there\n' })
  }, 60_000)

  test('the Playwright fixture loads without Playwright, which the caller passes', async () => {
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
  test.skipIf(old === null)('an older Node gets one line that says which version is needed', async () => {
    const main = join(consumer, 'node_modules', manifest.name, 'dist/bin/plantstore.js')
    const { code, output } = await run(consumer, old ?? '', main, 'verify')
    expect(code).toBe(2)
    expect(output).toMatch(
      /^plantstore: Node 24\.18 or newer is needed, and this is \d+\.\d+\.\d+ \([^\n]*\)\n$/,
    )
  })

  test('a program that uses every entry runs', async () => {
    writeFileSync(join(consumer, 'program.ts'), program(manifest.name))
    const { code, output } = await run(consumer, process.execPath, 'program.ts')
    expect({ code, output }).toEqual({ code: 0, output: 'partial: 1 operation, nothing failed\n' })
  }, 60_000)

  test.each([
    ['nodenext', []],
    ['bundler', []],
    ['nodenext', ['node']],
    ['bundler', ['node']],
  ] as const)(
    'the program type-checks with %s resolution, and %j for ambient types',
    async (resolution, types) => {
      writeFileSync(join(consumer, 'program.ts'), program(manifest.name))
      const config = `tsconfig.${resolution}-${types.length}.json`
      writeFileSync(
        join(consumer, config),
        JSON.stringify(tsconfig(resolution, types, join(root, 'node_modules/@types'))),
      )
      expect(await run(consumer, 'tsc', '-p', config)).toMatchObject({ code: 0, output: '' })
    },
    60_000,
  )
})

describe('install scripts', () => {
  test('are listed one by one: the one of Node is allowed, the one for analytics is not', () => {
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

  test('the lockfile contains the optional packages of every platform: without them npm ci fails elsewhere', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const names = new Set(Object.keys(packages).map(path => path.replace(/^.*node_modules\//, '')))
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter(name => !names.has(name)),
    )
    expect(missing).toEqual([])
  })

  test('the lockfile names no host, so any registry works', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": *"https?:/)
  })
})

/** The first Node on PATH that is too old for the package; null if there is none. */
function olderNode(): string | null {
  const candidates = (process.env.PATH ?? '').split(delimiter).map(place => join(place, 'node'))
  const tooOld = (file: string): boolean => {
    const [, major = '24'] =
      /^v(\d+)\./.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
    return Number(major) < 24
  }
  return candidates.find(file => existsSync(file) && tooOld(file)) ?? null
}
