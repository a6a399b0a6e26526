/** The completion scripts, as the shells themselves use them; zsh and fish only where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../../cli/program.ts'
import { emptyFolder, plantstore } from '../command.ts'

const folder = emptyFolder()
const shells = ['bash', 'zsh', 'fish'] as const
const scriptOf = (shell: (typeof shells)[number]): string => join(folder, `completion.${shell}`)
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

const cwd = emptyFolder()

beforeAll(async () => {
  for (const shell of shells) {
    const { code, stdout } = await plantstore(['completion', shell])
    expect(code).toBe(0)
    writeFileSync(scriptOf(shell), stdout)
  }
  for (const file of ['ledger.ndjson', 'my file.yaml']) writeFileSync(join(cwd, file), '')
  mkdirSync(join(cwd, 'reports'))
})

/** What bash offers for the last word of a command line. */
const inBash = (...words: readonly string[]): readonly string[] => {
  const line = `source "$0"; COMP_WORDS=(plantstore "$@"); COMP_CWORD=$#; _plantstore; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', line, scriptOf('bash'), ...words], { cwd, encoding: 'utf8' })
  return output.split('\n').filter(text => text !== '')
}

/** What fish offers for the last word. */
const inFish = (...words: readonly string[]): readonly string[] => {
  const line = `source "${scriptOf('fish')}"; complete -C "plantstore ${words.join(' ')}"`
  const output = execFileSync('fish', ['--no-config', '-c', line], { cwd, encoding: 'utf8' })
  return output.split('\n').flatMap(text => (text === '' ? [] : [text.split('\t')[0] ?? '']))
}

const commands = createProgram().commands.map(command => command.name())

describe.each([
  ['bash', inBash],
  ['fish', inFish],
] as const)('%s', (shell, completions) => {
  test.skipIf(!isInstalled(shell)).each<[words: readonly string[], expected: readonly string[]]>([
    [[''], commands],
    [['ver'], ['verify']],
    [
      ['bundle', ''],
      ['make', 'keygen', 'sign', 'verify'],
    ],
    [['completion', ''], shells],
    [['config', 're'], ['replay']],
    [['verify', ''], ['embedded-mock']],
    [['verify', '--max-w'], ['--max-waiver-days']],
    [['verify', 'http://127.0.0.1:1', '--una'], ['--unauthenticated']],
    [
      ['bundle', 'sign', '--'],
      ['--key', '--timestamp-authority', '--timestamp-ca', '--help'],
    ],
    [
      ['verify', '--unauthenticated', ''],
      ['declared', '401', 'either'],
    ],
    [
      ['verify', '--report', 'ju'],
      ['junit', 'junit-full'],
    ],
    [
      ['verify', '--report', 'json,ju'],
      ['json,junit', 'json,junit-full'],
    ],
    [['verify', '--seed', ''], []],
    [['report', 'led'], ['ledger.ndjson']],
  ])('completes %j', (words, expected) => {
    expect(completions(...words).toSorted()).toEqual(expected.toSorted())
  })
})

test('bash completes files, also with blanks and behind an equals sign, and folders alone', () => {
  expect(inBash('verify', '--spec', 'my')).toEqual(['my file.yaml'])
  expect(inBash('verify', '--spec', '=', 'my')).toEqual(['my file.yaml'])
  expect(inBash('verify', '--unauthenticated', '=')).toEqual(['declared', '401', 'either'])
  expect(inBash('verify', '--out', '')).toEqual(['reports'])
  expect(inBash('merge', '--')).toContain('--allow-partial')
  expect(inBash('merge', '--')).not.toContain('--seed')
})

test('bash uses it for the command plantstore', () => {
  const output = execFileSync('bash', ['-c', 'source "$0"; complete -p plantstore', scriptOf('bash')])
  expect(String(output)).toBe('complete -F _plantstore plantstore\n')
})

test.skipIf(!isInstalled('zsh'))('zsh reads the script', () => {
  expect(spawnSync('zsh', ['-n', scriptOf('zsh')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

test('another shell is a usage error', async () => {
  const { code, stderr } = await plantstore(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.')
})
