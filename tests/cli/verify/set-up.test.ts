/** What a newcomer meets with a document as it is published, and what the command says to change: one line, and exit code 4. */
import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } },
}
const document = writeDocument(
  'a.json',
  documentWith({
    '/a': { get: { operationId: 'a', responses } },
    '/b': { get: { operationId: 'b', responses } },
  }),
)

/** Below /api, for those who send the token in the form of this server. */
const service: RequestListener = ({ url = '', headers, method }, response) => {
  const [status, body] =
    !/^\/api\/(a|b|plantstore)/.test(url) || url.startsWith('/api/plantstore')
      ? [404, '{}']
      : headers.authorization !== 'token tok'
        ? [401, '{}']
        : method === 'GET'
          ? [200, '"a"']
          : [405, '{}']
  response
    .writeHead(status as number, {
      'Content-Type': 'application/json',
      Allow: 'GET',
      ...(status === 401 ? { 'WWW-Authenticate': 'token' } : {}),
    })
    .end(body)
}

test('the base URL, the token and its form are told one after the other, each by one line', async () => {
  const server = await listen(createServer(service))
  const run = (base: string, ...flags: readonly string[]) =>
    plantstore(['verify', server.url + base, '--spec', document, '--seed', '1', '--cases', '100', ...flags])
  try {
    const base = await run('')
    expect(base.code).toBe(4)
    expect(base.stdout).toContain(`but at ${server.url}/api: try ${server.url}/api\n`)
    const token = await run('/api')
    expect(token.code).toBe(4)
    expect(token.stdout).toContain(
      "the document asks for none: give the right token with --token or PLANTSTORE_TOKEN, and --auth 'Authorization: token {}'\n",
    )
    const form = await run('/api', '--token', 'tok')
    expect(form.code).toBe(4)
    expect(form.stderr).toContain(
      'the document asks for no credentials, so the token is sent with every request as Authorization: Bearer …\n',
    )
    expect(form.stdout).toContain("with --auth 'Authorization: token {}'?\n")
    const right = await run('/api', '--token', 'tok', '--auth', 'Authorization: token {}')
    expect(right.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
    const byHeader = await run('/api', '--header', 'Authorization: token tok')
    expect(byHeader.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
  } finally {
    await server.close()
  }
})

test('who names no document is told so, if the server has other paths or the URL is that of a document', async () => {
  const server = await listen(createServer(service))
  try {
    const other = await plantstore([
      'verify',
      `${server.url}/api`,
      '--seed',
      '1',
      '--token',
      'tok',
      '--auth',
      'Authorization: token {}',
    ])
    expect(other.code).toBe(4)
    expect(other.stderr).toContain('the contract was the plant store’s own: no --spec was given')
    const url = `${server.url}/openapi.json`
    const named = await plantstore(['verify', url])
    expect([named.code, named.stderr]).toEqual([
      2,
      `plantstore: ${url} looks like a document: give the URL of the server, and --spec ${url}\n`,
    ])
  } finally {
    await server.close()
  }
})
