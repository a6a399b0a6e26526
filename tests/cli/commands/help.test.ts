import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantstore } from '../command.ts'

const verbs = [
  'verify',
  'mock',
  'replay',
  'report',
  'merge',
  'obligations',
  'diff',
  'baseline',
  'pin',
  'certificate',
  'bundle',
  'config',
  'explain',
]

test('the help of the command is as it was agreed', async () => {
  const { code, stdout, stderr } = await plantstore(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot('golden/help.txt')
})

test.each(verbs)('the help of %s is as it was agreed', async verb => {
  const { code, stdout, stderr } = await plantstore([verb, '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot(`golden/help-${verb}.txt`)
})

test.each(['make', 'keygen', 'sign', 'verify'])('the help of bundle %s is as it was agreed', async verb => {
  const { code, stdout, stderr } = await plantstore(['bundle', verb, '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await expect(stdout).toMatchFileSnapshot(`golden/help-bundle-${verb}.txt`)
})

test('every verb is in the help of the command, and every line fits on a hundred columns', async () => {
  const texts = await Promise.all(
    [[], ...verbs.map(verb => [verb])].map(args => plantstore([...args, '--help'])),
  )
  for (const verb of verbs) expect(texts[0]?.stdout).toContain(`\n  ${verb} `)
  const prose = texts
    .flatMap(({ stdout }) => stdout.split('\n'))
    .filter(line => !/^ {2}(curl|plantstore) /.test(line))
  expect(prose.filter(line => line.length > 100)).toEqual([])
})

test('without a verb the help is told on stderr, as nothing was done', async () => {
  const { code, stdout, stderr } = await plantstore([])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('Start here:')
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await plantstore(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})
