import { expect, test } from 'vitest'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

const limited = (maximum: number): string =>
  writeDocument(
    'api.json',
    documentWith({
      '/a': {
        get: {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum } }],
          responses: { 200: { description: 'ok' } },
        },
      },
    }),
  )
const [wide, narrow] = [limited(10), limited(5)]
const sentence = 'was valid and is rejected: the query parameter `limit` must be at most 5'

test('evolve tells what breaks, with the lines of both documents, and exits with 1', async () => {
  const { code, stdout } = await plantstore(['evolve', wide, narrow])
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'breaking: clients of the old document with servers of the new one',
    '  GET /a',
    `    \`GET /a?limit=6\` ${sentence}`,
    expect.stringMatching(/^ {4}.*api\.json:\d+ → .*api\.json:\d+$/),
    '',
    '1 breaking, 0 risky, 0 safe · 1 operation compared',
  ])
})

test('an overlay is applied to both documents', async () => {
  const changed = (maximum: number): string =>
    writeDocument(
      'overlay.json',
      JSON.stringify({
        overlay: '1.0.0',
        info: { title: 'changes', version: '1' },
        actions: [{ target: '$.paths[*].get.parameters[0].schema', update: { maximum } }],
      }),
    )
  const alike = await plantstore(['evolve', wide, narrow, '--overlay', changed(7)])
  expect(alike).toMatchObject({ code: 0, stdout: 'no differences · 1 operation compared\n' })
  const missing = await plantstore(['evolve', wide, narrow, '--overlay', '/nowhere/overlay.yaml'])
  expect(missing.code).not.toBe(0)
  expect(missing.stderr).toContain('/nowhere/overlay.yaml')
})

test('what only old servers reject breaks nothing, unless that is asked for', async () => {
  const codeOf = async (level: string) =>
    (await plantstore(['evolve', narrow, wide, '--old-servers', level, '--format', 'json'])).code
  expect([await codeOf('risky'), await codeOf('ignore'), await codeOf('breaking')]).toEqual([0, 0, 1])
  const { stdout } = await plantstore(['evolve', narrow, wide, '--old-servers', 'ignore'])
  expect(stdout).toBe('no differences · 1 operation compared\n')
})

test('evolve writes JSON, Markdown, and annotations for GitHub', async () => {
  const json = await plantstore(['evolve', wide, narrow, '--format', 'json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    operations: 1,
    differences: [{ level: 'breaking', operations: ['GET /a'], witness: 'GET /a?limit=6' }],
    undecided: [],
  })
  const markdown = await plantstore(['evolve', wide, narrow, '--format', 'markdown'])
  expect(markdown.stdout).toContain(`- **GET /a**: \`GET /a?limit=6\` ${sentence} (`)
  const github = await plantstore(['evolve', wide, narrow, '--format', 'github'])
  expect(github.stdout).toMatch(
    /^::error title=breaking%3A GET \/a,file=.*api\.json,line=\d+::`GET \/a\?limit=6` was/,
  )
})

test('a document that cannot be used is told, with 3, and wrong usage with 2', async () => {
  const { code, stderr } = await plantstore(['evolve', wide, '/nowhere/api.yaml'])
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('there is no such file: /nowhere/api.yaml'),
  })
  expect((await plantstore(['evolve', wide])).code).toBe(2)
})
