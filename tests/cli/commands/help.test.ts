import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plantstoreProcess as plantstore, type Ran } from '../command.ts'

const commands = [
  'verify',
  'mock',
  'proxy',
  'judge',
  'replay',
  'report',
  'merge',
  'obligations',
  'lint',
  'evolve',
  'diff',
  'baseline',
  'pin',
  'bundle',
  'config',
  'explain',
  'selftest',
  'compare',
  'completion',
]

const helps = new Map<string, Promise<Ran>>()
/** The help of a command, or of all; several tests look at it. */
const helpOf = (...command: readonly string[]): Promise<Ran> => {
  const name = command.join(' ')
  const help = helps.get(name) ?? plantstore([...command, '--help'])
  helps.set(name, help)
  return help
}

test('the help of plantstore is up to date', async () => {
  const { code, stdout, stderr } = await helpOf()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot('golden/help.txt')
})

test.each(commands)('the help of %s is up to date', async command => {
  const { code, stdout, stderr } = await helpOf(command)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot(`golden/help-${command}.txt`)
})

test.each(['make', 'keygen', 'sign', 'verify'])('the help of bundle %s is up to date', async command => {
  const { code, stdout, stderr } = await plantstore(['bundle', command, '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot(`golden/help-bundle-${command}.txt`)
})

test('the help of plantstore lists every command, and every line fits into 100 columns', async () => {
  const texts = await Promise.all([helpOf(), ...commands.map(command => helpOf(command))])
  for (const command of commands) expect(texts[0]?.stdout).toContain(`\n  ${command} `)
  const prose = texts
    .flatMap(({ stdout }) => stdout.split('\n'))
    .filter(line => !/^ {2}(curl|plantstore) /.test(line))
  expect(prose.filter(line => line.length > 100)).toEqual([])
})

test('without a command the help is printed on stderr, and the exit code is 2', async () => {
  const { code, stdout, stderr } = await plantstore([])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('Test a server:')
})

test('--help fits into 45 lines', async () => {
  const { stdout } = await helpOf()
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(45)
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await plantstore(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

/** Writes the address of every file that Node loads. */
const tellFiles = `import module from 'node:module'
module.registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })`

test('the help loads nothing but the command line: of the rooms only what defaults.ts says', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(tellFiles)}`]
  const { stderr } = spawnSync(process.execPath, [...flags, 'cli/main.js', 'verify', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  const loaded = stderr.split('\n').filter(url => /^file:.*\.ts$/.test(url) && !url.includes('node_modules'))
  const ours = loaded.map(url => fileURLToPath(url).slice(root.length))
  expect(ours).toContain('cli/commands/verify.ts')
  expect(ours.filter(file => !file.startsWith('cli/')).sort()).toEqual([
    'conformance/defaults.ts',
    'mock/defaults.ts',
    'reports/defaults.ts',
    'spec/defaults.ts',
  ])
})

test.each(['verify', 'mock', 'proxy', 'replay', 'compare'])(
  'each option of %s has a group, those that most people need first',
  async name => {
    const { stdout } = await helpOf(name)
    const headings = [...stdout.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading)
    expect(headings.filter(heading => heading !== 'Arguments')[0]).toBe('Most used')
    const [, others = ''] = /^Options:\n((?: .*\n)*)/m.exec(stdout) ?? []
    expect(others.match(/^ {2}\S.*?--[a-z-]+/gm)?.map(line => line.trim()) ?? []).toEqual(['-h, --help'])
  },
)
