/** The workflow that publishes: what it may do, what it calls, and the steps that run without GitHub. */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { emptyFolder } from './folder.ts'

type Step = { readonly name?: string; readonly uses?: string; readonly run?: string }
type Job = { readonly permissions: Readonly<Record<string, string>>; readonly steps: readonly Step[] }

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
const document = parseDocument(text)
const { jobs, permissions } = document.toJS() as {
  readonly jobs: Readonly<Record<'build' | 'publish', Job>>
  readonly permissions: object
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const steps = Object.values(jobs).flatMap(job => job.steps)

/** Runs a step as GitHub does, in a folder with the manifests only. */
const act = async (name: string, env: Readonly<Record<string, string>> = {}) => {
  const cwd = emptyFolder()
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(cwd, file))
  mkdirSync(join(cwd, 'release'))
  const script = steps.find(step => step.name === name)?.run ?? ''
  const { PATH = '', HOME = '' } = process.env
  try {
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], {
      cwd,
      env: { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME, ...env },
    })
    return { code: 0, stdout, cwd }
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string }
    return { code, stdout, cwd }
  }
}

test('the workflow parses, and its scripts take nothing from expressions', () => {
  expect([...document.errors, ...document.warnings]).toEqual([])
  expect(steps.length).toBeGreaterThan(8)
  expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([])
})

test('every action is a commit, with its version beside it', () => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action)
  expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
  for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('only the job that publishes may write, and it runs no code of the package or of a dependency', () => {
  expect(permissions).toEqual({})
  expect(jobs.build.permissions).toEqual({ contents: 'read' })
  expect(jobs.publish.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' })
  const commands = jobs.publish.steps.map(({ run }) => run).filter(run => run !== undefined)
  expect(commands.map(command => command.split(' ').slice(0, 2).join(' '))).toEqual([
    'npm publish',
    'gh release',
  ])
  expect(jobs.publish.steps.some(({ uses = '' }) => uses.startsWith('actions/checkout'))).toBe(false)
})

test('the scripts and tools that it runs exist', () => {
  const scripts = [...text.matchAll(/npm (?:run (\S+)|(test))\b/g)].map(([, run, test]) => run ?? test ?? '')
  expect(scripts).toEqual(['test', 'test:node26'])
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  const tools = [...text.matchAll(/npx (\S+)/g)].map(([, tool = '']) => tool)
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(tools))
})

test('a tag that is not the version is refused', async () => {
  const { version } = manifest
  expect((await act('Check the tag', { GITHUB_REF_NAME: `v${version}` })).code).toBe(0)
  const { code, stdout } = await act('Check the tag', { GITHUB_REF_NAME: 'v99.0.0' })
  expect(code).toBe(1)
  expect(stdout).toBe(`::error::the tag is v99.0.0, and package.json has the version ${version}\n`)
})

test('the list of what is installed has every dependency at its version, and no development tool', async () => {
  const { code, cwd } = await act('List what is installed with it', { npm_config_cache: emptyFolder() })
  expect(code).toBe(0)
  const { bomFormat, components } = JSON.parse(readFileSync(join(cwd, 'release/sbom.cdx.json'), 'utf8')) as {
    readonly bomFormat: string
    readonly components: readonly { readonly name: string; readonly version: string }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  expect(listed).toEqual(
    expect.arrayContaining(
      Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`),
    ),
  )
  expect(components.map(({ name }) => name)).not.toContain('vitest')
})

test.each(globSync('.github/workflows/*.yml', { cwd: root }))(
  '%s calls pinned actions only, and may write nothing by default',
  file => {
    const source = readFileSync(join(root, file), 'utf8')
    const called = [...source.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action)
    for (const action of called) expect(action).toMatch(/^(?:\.\/|[\w/-]+@[0-9a-f]{40}$)/)
    const { permissions: given = {} } = parseDocument(source).toJS() as { readonly permissions?: object }
    expect(Object.values(given).filter(right => right !== 'read')).toEqual([])
  },
)
