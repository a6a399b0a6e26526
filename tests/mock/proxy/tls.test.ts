/** A server behind a proxy that speaks TLS: which certificates are trusted, and which one it gets. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { send } from '../client.ts'
import { listening, startProxy } from './through.ts'

const pem = (name: string): string =>
  readFileSync(new URL(`../../conformance/send/tls/${name}`, import.meta.url), 'utf8')

/** Answers whether the client has shown a certificate that it trusts. */
const tlsServer = async (): Promise<string> => {
  const server = createServer(
    {
      cert: pem('server.pem'),
      key: pem('server.key'),
      ca: pem('ca.pem'),
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      response.writeHead(200, { 'x-known': String((request.socket as TLSSocket).authorized) }).end()
    },
  )
  return (await listening(server)).replace('http:', 'https:')
}

const client = { cert: pem('client.pem'), key: pem('client.key') }

test.each([
  ['nothing', {}, 502, undefined],
  ['--insecure', { insecure: true }, 200, 'false'],
  ['--ca', { ca: pem('ca.pem') }, 200, 'false'],
  ['--ca, --cert and --key', { ca: pem('ca.pem'), ...client }, 200, 'true'],
])('with %s', async (_, options, status, known) => {
  const proxy = await startProxy(await tlsServer(), options)
  const response = await send(proxy, { method: 'GET', path: '/x' })
  expect([response.status, new Map(response.headers).get('x-known')]).toEqual([status, known])
})
