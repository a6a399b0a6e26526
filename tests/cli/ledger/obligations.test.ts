import { expect, test } from 'vitest'
import { plantstore } from '../command.ts'

const listed = async (format: string): Promise<string> => {
  const { code, stdout, stderr } = await plantstore(['obligations', '--format', format])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('every format lists the same obligations, in the same order', async () => {
  const rows = JSON.parse(await listed('json')) as readonly { id: string; level: string; promise: string }[]
  const text = (await listed('text')).trimEnd().split('\n')
  const [, , ...table] = (await listed('markdown')).trimEnd().split('\n')
  expect(rows.length).toBeGreaterThan(150)
  expect(text).toEqual(rows.map(({ id, level, promise }) => `${level.padEnd(8)}${id}  ${promise}`))
  expect(table.map(line => /^\| `([^`]+)` \| (\w+) \| /.exec(line)?.slice(1))).toEqual(
    rows.map(({ id, level }) => [id, level]),
  )
  for (const line of table) expect(line.replaceAll('\\|', '').split('|')).toHaveLength(6)
})

test('each is a promise with an id of its own and the place that it comes from', async () => {
  const rows = JSON.parse(await listed('json')) as readonly {
    id: string
    level: string
    promise: string
    clause: { place: { file: string; line: number } }
  }[]
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  for (const { level, promise, clause } of rows) {
    expect(['MUST', 'SHOULD', 'OBSERVE']).toContain(level)
    expect(promise).not.toBe('')
    expect(clause.place.line).toBeGreaterThan(0)
  }
})

test('a reader that stops early is no error', async () => {
  const { spawnSync } = await import('node:child_process')
  const main = new URL('../../../cli/main.ts', import.meta.url).pathname
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
