import { expect, test } from 'vitest'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

const listed = async (format: string): Promise<string> => {
  const { code, stdout, stderr } = await plantstore(['obligations', '--format', format])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('every format lists the same obligations, in the same order', async () => {
  const rows = JSON.parse(await listed('json')) as readonly {
    id: string
    level: string
    requirement: string
  }[]
  const text = (await listed('text')).trimEnd().split('\n')
  const [, , ...table] = (await listed('markdown')).trimEnd().split('\n')
  expect(rows.length).toBeGreaterThan(150)
  expect(text).toEqual(rows.map(({ id, level, requirement }) => `${level.padEnd(8)}${id}  ${requirement}`))
  expect(table.map(line => /^\| `([^`]+)` \| (\w+) \| /.exec(line)?.slice(1))).toEqual(
    rows.map(({ id, level }) => [id, level]),
  )
  for (const line of table) expect(line.replaceAll('\\|', '').split('|')).toHaveLength(6)
})

test('each has a unique id, a requirement and its place in the document', async () => {
  const rows = JSON.parse(await listed('json')) as readonly {
    id: string
    level: string
    requirement: string
    clause: { place: { file: string; line: number } }
  }[]
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  for (const { level, requirement, clause } of rows) {
    expect(['MUST', 'SHOULD', 'OBSERVE']).toContain(level)
    expect(requirement).not.toBe('')
    expect(clause.place.line).toBeGreaterThan(0)
  }
})

test('a reader that stops early causes no error', async () => {
  const { spawnSync } = await import('node:child_process')
  const main = new URL('../../../cli/main.js', import.meta.url).pathname
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `set -o pipefail; "${process.execPath}" "${main}" obligations --format json | head -c 1; echo " $?"`,
    ],
    { encoding: 'utf8' },
  )
  expect({ stdout, stderr }).toEqual({ stdout: '[ 0\n', stderr: '' })
})

test('names in the document do nothing to the terminal', async () => {
  const name = '\u001b[31m\u202ered'
  const schema = { type: 'object', properties: { [name]: { type: 'string' } } }
  const spec = writeDocument(
    'names.json',
    documentWith({
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
        },
      },
    }),
  )
  for (const format of ['text', 'markdown']) {
    const { stdout } = await plantstore(['obligations', '--spec', spec, '--format', format])
    expect(stdout).toContain('\\u001b[31m\\u202ered')
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
  }
  const id = `a/request/body/${name}/type/number`
  const explained = await plantstore(['explain', id, '--spec', spec])
  expect(explained.code).toBe(0)
  expect(explained.stdout).not.toMatch(/[\u001b\u202e]/)
})
