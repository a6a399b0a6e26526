import { expect, test } from 'vitest'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

test('lint lists each gap with its line and operation, and sums them up', async () => {
  const spec = writeDocument(
    'api.json',
    documentWith({ '/a': { get: { responses: { 400: { description: 'no' } } } } }),
  )
  const { code, stdout } = await plantstore(['lint', '--spec', spec])
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/api\.json:10: .+ declares no success$/),
    '',
    '1 gap (no success in 1 operation)',
  ])
  const { stdout: json } = await plantstore(['lint', '--spec', spec, '--format', 'json'])
  expect(JSON.parse(json)).toMatchObject({ gaps: [{ kind: 'success', place: { line: 10 } }], warnings: [] })
})

test('lint and obligations list the webhooks of a document that has nothing else', async () => {
  const spec = writeDocument(
    'hooks.json',
    documentWith({}, { webhooks: { added: { post: { responses: { 200: { description: 'ok' } } } } } }),
  )
  const listed = await plantstore(['lint', '--spec', spec])
  expect({ code: listed.code, stdout: listed.stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/the webhook "added" is not tested\n\n1 part not tested\n$/),
  })
  const { code, stdout, stderr } = await plantstore(['obligations', '--spec', spec])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('the webhook "added" is not tested')
  const mock = await plantstore(['mock', '--spec', spec])
  expect(mock.code).toBe(3)
  expect(mock.stderr).toContain('declares no operation: the webhook "added" is not tested')
})

test('lint says that the plant store’s document has none', async () => {
  const { code, stdout } = await plantstore(['lint'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'no warnings and no gaps: every operation declares what answers valid and invalid requests\n',
  })
})

test('lint lists warnings, operations that are left out, and what is not tested', async () => {
  const ok = { 200: { description: 'ok' }, default: { description: 'no' } }
  const unusable = { parameters: [{ $ref: '#/components/parameters/gone' }], responses: ok }
  const spec = writeDocument(
    'api.json',
    documentWith(
      { '/a': { get: { responses: ok } }, '/b/{id}': { get: unusable } },
      { colour: 'red', webhooks: { added: { post: { responses: ok } } } },
    ),
  )
  const { code, stdout } = await plantstore(['lint', '--spec', spec])
  expect(code).toBe(0)
  expect(stdout).toMatch(/api\.json:\d+: warning: .*colour/)
  expect(stdout).toMatch(/api\.json:\d+: GET \/b\/\{id\} is left out: .*gone/)
  expect(stdout).toMatch(/api\.json:\d+: the webhook "added" is not tested/)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 warning · 1 operation left out · 1 part not tested')
})

test('lint tells what only the official check finds, with its line; other commands do not ask it', async () => {
  const body = (name: string) => ({ in: 'body', name, schema: { type: 'object' } })
  const spec = writeDocument(
    'old.json',
    JSON.stringify(
      {
        swagger: '2.0',
        info: { title: 'Old', version: '1' },
        paths: {
          '/a': { post: { parameters: [body('a'), body('b')], responses: { 200: { description: 'ok' } } } },
        },
      },
      null,
      1,
    ),
  )
  const { stdout } = await plantstore(['lint', '--spec', spec])
  expect(stdout).toMatch(
    /old\.json:9: warning: Swagger 2\.0: \/paths\/a\/post has 2 body parameters\. Only one is allowed\n/,
  )
  const { stderr } = await plantstore(['obligations', '--spec', spec])
  expect(stderr).not.toContain('body parameters')
})
