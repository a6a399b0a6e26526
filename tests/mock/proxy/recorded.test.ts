/** What of an exchange is written: no credentials. */
import { expect, test } from 'vitest'
import type { SentExchange } from '../../../spec/index.ts'
import { httpServer, nextEntry, startProxy } from './through.ts'

test('credentials are placeholders, wherever they stand', async () => {
  const url = await httpServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'set-cookie': 'sid=cookie-of-server; Path=/',
        'x-seen': String(request.headers.authorization),
      })
      response.end('{"access_token":"token-of-server","seen":"token-of-client","name":"Fern"}')
    })
  })
  const proxy = await startProxy(url)
  const written: SentExchange[] = []
  const product = { name: 'a', version: '1' }
  proxy.record({ product, target: new URL(url), at: Date.now(), onExchange: one => written.push(one) })
  const entry = nextEntry(proxy)
  await fetch(`${proxy.url}/login?access_token=token-in-query`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer token-of-client',
      cookie: 'sid=cookie-of-client',
      'x-api-key': 'key-of-client',
    },
    body: 'user=me&password=password-of-client&again=token-of-client',
  }).then(response => response.text())
  await entry
  const text = JSON.stringify(written)
  expect(written).toMatchObject([{ request: { method: 'POST' }, outcome: { kind: 'response', status: 200 } }])
  expect(text).toContain('Fern')
  expect(text).not.toMatch(/(?:token|cookie|key|password)-(?:of|in)-/)
})
