/** Secrets by security scheme: from flags, files, commands and the environment. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { emptyFolder, plantstore } from '../command.ts'

const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } },
  401: { description: 'no' },
}
const apiKey = (name: string) => ({ type: 'apiKey', in: 'header', name })
const document = writeDocument(
  'a.json',
  documentWith(
    {
      '/a': {
        get: { operationId: 'a', security: [{ 'one key': [], two: [], three: [], four: [] }], responses },
      },
    },
    {
      components: {
        securitySchemes: {
          'one key': apiKey('X-1'),
          two: apiKey('X-2'),
          three: apiKey('X-3'),
          four: apiKey('X-4'),
        },
      },
    },
  ),
)

const withServer = async (use: (url: string) => Promise<void>): Promise<void> => {
  const { url, close } = await listen(
    createServer(({ headersDistinct: all, method, url: path = '' }, response) => {
      const given = ['x-1', 'x-2', 'x-3', 'x-4'].map(name => (all[name] ?? []).join())
      const isIn = given.join() === 'First-7f3a9,Second-7f3a9,Third 7f3a9,Fourth-7f3a9'
      const status = path.split('?')[0] !== '/a' ? 404 : !isIn ? 401 : method === 'GET' ? 200 : 405
      response
        .writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET', 'WWW-Authenticate': 'Key' })
        .end('"a"')
    }),
  )
  try {
    await use(url)
  } finally {
    await close()
  }
}

test('from everywhere at once, and no output has one', () =>
  withServer(async url => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'second.txt'), 'Second-7f3a9\n')
    const run = await plantstore(
      [
        ...['verify', url, '--spec', document, '--seed', '1', '--cases', '200', '--report', 'all'],
        ...['--secret', 'one key=First-7f3a9', '--secret-file', 'two=second.txt'],
        ...['--secret-command', 'three=echo Third 7f3a9'],
      ],
      { cwd, env: { PLANTSTORE_SECRET_FOUR: 'Fourth-7f3a9' } },
    )
    expect(run.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
    const outputs = [
      ['stdout', run.stdout],
      ['stderr', run.stderr],
      ...filesIn(join(cwd, 'plantstore-report')),
    ] as const
    expect(
      outputs
        .filter(([, content]) => /(First|Second|Third|Fourth).7f3a9/.test(content))
        .map(([name]) => name),
    ).toEqual([])
  }))

test('a configuration names the variable, and no secret', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'plantstore.config.yaml'), `verify:\n  secret: two=First-7f3a9\n`)
  const run = await plantstore(['verify', 'http://127.0.0.1:9', '--spec', document], { cwd })
  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(/Do not store a secret in a file|must match pattern|secret/)
  expect(run.stderr).not.toContain('First')
})

test.each([
  [['--secret', 'two'], /It must be the name of a security scheme and what follows =/],
  [['--secret', 'two=a', '--secret-command', 'two=echo b'], /the secret of two is given twice/],
  [
    ['--secret', 'five=a'],
    /no operation asks for credentials of a security scheme five: the document has one key, two, three, four/,
  ],
])('%j is rejected', async (flags, message) => {
  const run = await plantstore(['verify', 'http://127.0.0.1:9', '--spec', document, ...flags])
  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(message)
})
