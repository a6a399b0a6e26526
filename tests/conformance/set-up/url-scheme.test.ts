/** http in place of https, and the other way around: one GET without any secret tells, and nobody is accused. */
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { listen } from '../../listen.ts'
import { contracts } from '../../spec/contracts.ts'

const pem = (name: string): string => readFileSync(join(import.meta.dirname, '../send/tls', name), 'utf8')

const secret = 'Tulip-7f3aC9-Garden'

describe('the other scheme is told', () => {
  const listener =
    (seen: string[]): RequestListener =>
    (request, response) => {
      seen.push([request.method, request.url, ...request.rawHeaders].join(' '))
      request.resume()
      response.writeHead(404).end()
    }

  test('of a server that speaks HTTPS', async () => {
    const seen: string[] = []
    const server = await listen(
      createTlsServer({ key: pem('server.key'), cert: pem('server.pem') }, listener(seen)) as never,
    )
    try {
      const { findings, end } = await verify({
        target: `${server.url}/v1`,
        contract: contracts.plantStore,
        token: secret,
        headers: [['X-Gate', 'Sesame-41-Open']],
        seed: 1,
      })
      expect(findings).toEqual([])
      expect(end).toMatchObject({
        stopped: 'access',
        reason: `the server speaks HTTPS, and not HTTP: try ${server.url.replace('http:', 'https:')}/v1`,
      })
      expect(seen).toHaveLength(1)
      expect(seen.join()).toMatch(/^GET \/ /)
      expect(seen.join()).not.toMatch(/Tulip|Sesame/)
    } finally {
      await server.close()
    }
  })

  test('of a server that speaks HTTP', async () => {
    const seen: string[] = []
    const server = await listen(createServer(listener(seen)))
    try {
      const target = server.url.replace('http:', 'https:')
      const { findings, end } = await verify({
        target,
        contract: contracts.plantStore,
        token: secret,
        seed: 1,
      })
      expect(findings).toEqual([])
      expect(end?.reason).toBe(`the server speaks HTTP, and not HTTPS: try ${server.url}/`)
      expect(seen.join()).not.toMatch(/Tulip/)
    } finally {
      await server.close()
    }
  })

  test('of a server that says so itself, as nginx does', async () => {
    const tls = await listen(
      createTlsServer({ key: pem('server.key'), cert: pem('server.pem') }, (_, response) =>
        response.end(),
      ) as never,
    )
    const said = await listen(
      createServer((request, response) => {
        request.resume()
        response.writeHead(400, { 'Content-Type': 'text/html' })
        response.end('<h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port')
      }),
    )
    try {
      // Nothing speaks TLS at this port, so nothing is told; the answer alone does not prove it.
      const { end } = await verify({
        target: said.url,
        contract: contracts.plantStore,
        token: secret,
        seed: 1,
      })
      expect(end?.reason ?? '').not.toMatch(/speaks/)
    } finally {
      await Promise.all([tls.close(), said.close()])
    }
  })
})

test('a server that nobody listens for is not said to speak anything', async () => {
  const server = await listen(createServer())
  await server.close()
  const { end } = await verify({ target: server.url, contract: contracts.plantStore, seed: 1 })
  expect(end?.stopped).toBe('unreachable')
})
