/** In a folder with an OpenAPI document, that is the contract, and the first line says so. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantStoreDocument } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { plantstoreProcess } from '../command.ts'

const document = readFileSync(plantStoreDocument, 'utf8').replace(/title: .*/, 'title: Mine')

const folderWith = (...names: readonly string[]): string => {
  const folder = emptyFolder()
  for (const name of names) writeFileSync(join(folder, name), document)
  return folder
}

test.each([
  ['openapi.yaml', ['openapi.yaml', 'openapi.json']],
  ['openapi.yml', ['openapi.yml', 'api.yaml']],
])('%s is taken of %j', async (name, names) => {
  const { stderr, stdout, code } = await plantstoreProcess(['obligations', '--format', 'json'], {
    cwd: folderWith(...names),
  })
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `the contract is ${name} of this folder (give another one with --spec)\n`,
  })
  expect(stdout).toContain(`"${name}"`)
})

test('a document that is given, and a configured one, come first; without any it is the plant store’s', async () => {
  const folder = folderWith('openapi.yaml')
  copyFileSync(plantStoreDocument, join(folder, 'other.yaml'))
  const given = await plantstoreProcess(['lint', '--spec', 'other.yaml'], { cwd: folder })
  expect(given).toMatchObject({ code: 0, stderr: '' })
  writeFileSync(join(folder, 'plantstore.config.yaml'), 'spec: other.yaml\n')
  const configured = await plantstoreProcess(['obligations'], { cwd: folder })
  expect(configured).toMatchObject({ code: 0, stderr: '' })
  expect(await plantstoreProcess(['lint'], { cwd: emptyFolder() })).toMatchObject({ code: 0, stderr: '' })
})

test('config says where the document comes from', async () => {
  const { stdout } = await plantstoreProcess(['config'], { cwd: folderWith('openapi.json') })
  expect(stdout).toMatch(/^ {2}spec +openapi\.json +folder$/m)
})

test('replay takes the document of the run', async () => {
  const folder = folderWith('openapi.yaml')
  const options = { cwd: folder }
  const run = await plantstoreProcess(['verify', 'embedded-mock', '--cases', '20', '--seed', '1'], options)
  expect(run.stderr.split('\n')[0]).toContain('openapi.yaml of this folder')
  const [, id] =
    /"id":"([0-9a-z]{3,})"/.exec(readFileSync(join(folder, 'plantstore-report/ledger.ndjson'), 'utf8')) ?? []
  const replayed = await plantstoreProcess(['replay', 'plantstore-report/ledger.ndjson', id ?? ''], options)
  expect(replayed.stdout).toContain('PASSED')
})
