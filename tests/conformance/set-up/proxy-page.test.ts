/** What a proxy answers in place of the server is no fault of the server. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { listen } from '../../listen.ts'
import { contracts } from '../../spec/contracts.ts'

test.each([
  ['Squid', { 'X-Squid-Error': 'ERR_ACCESS_DENIED 0', 'Content-Type': 'text/html' }, '403 text/html'],
  ['RFC 9209', { 'Proxy-Status': 'edge; error=destination_unavailable' }, '403 no body'],
  ['a page and Via', { Via: '1.1 edge', 'Content-Type': 'text/html' }, '403 text/html'],
])('by the header fields of %s', async (_, headers, answer) => {
  const proxy = await listen(
    createServer((request, response) => {
      request.resume()
      response.writeHead(403, headers as Record<string, string>).end('<h1>Denied</h1>')
    }),
  )
  try {
    const { findings, end } = await verify({
      target: 'http://plants.test/',
      contract: contracts.plantStore,
      proxy: proxy.url,
      token: 'abc',
      seed: 1,
    })
    expect(findings).toEqual([])
    expect(end).toMatchObject({
      stopped: 'access',
      reason: `the proxy ${proxy.url} answers in place of the server (${answer}): does it let requests to plants.test through (--proxy, HTTP_PROXY, NO_PROXY)?`,
    })
  } finally {
    await proxy.close()
  }
})
