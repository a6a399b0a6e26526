/** Which certificates of the server a run records: those of its own connections, whichever way it sends. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { accessOf } from '../../../conformance/options/access.ts'
import { createTransport, type Transport } from '../../../conformance/send/transport/index.ts'
import type { HttpRequest } from '../../../spec/index.ts'

const pem = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8')
const first = { cert: pem('server.pem'), key: pem('server.key') }
const second = { cert: pem('client.pem'), key: pem('client.key') }
const fingerprintOf = ({ cert }: { readonly cert: string }): string =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()

const get: HttpRequest = { method: 'GET', target: '/', headers: [], body: null, chunked: false }
const raw: HttpRequest = {
  ...get,
  raw: { pieces: ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'], end: 'never', responses: 1 },
}

const tlsServer = async () => {
  const server = createServer(first, (_, response) => {
    response.setHeader('Connection', 'close').end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, target: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`) }
}

const transportTo = (target: URL, trust: object): Transport => {
  const transport = createTransport({
    ...accessOf({ timeoutMs: 5000, ...trust }),
    target,
    token: () => 'secret',
  })
  onTestFinished(transport.close)
  return transport
}

test('a certificate is recorded once, and a new one of the same server as well', async () => {
  const { server, target } = await tlsServer()
  const transport = transportTo(target, { ca: pem('ca.pem') })
  expect(transport.certificates()).toEqual([])
  await transport.send(get)
  await transport.sendInRow([get])
  await transport.send(raw)
  const { subjectAltName, issuer } = new X509Certificate(first.cert)
  expect(transport.certificates()).toEqual([
    {
      subject: 'CN=server.test',
      names: subjectAltName,
      issuer: issuer.replaceAll('\n', ', '),
      from: expect.stringMatching(/^2026-11-21T12:36:\d\d\.000Z$/),
      to: expect.stringMatching(/^2126-10-28T12:36:\d\d\.000Z$/),
      sha256: fingerprintOf(first),
      verified: true,
    },
  ])
  server.setSecureContext(second)
  await transport.send(get)
  expect(transport.certificates().map(({ sha256 }) => sha256)).toEqual([first, second].map(fingerprintOf))
})

test('a certificate that was accepted unverified is recorded as that', async () => {
  const { target } = await tlsServer()
  const transport = transportTo(target, { insecure: true })
  await transport.send(get)
  expect(transport.certificates()).toMatchObject([{ sha256: fingerprintOf(first), verified: false }])
})

test('a certificate that was not accepted is not recorded: nothing was sent over it', async () => {
  const { target } = await tlsServer()
  const transport = transportTo(target, {})
  await transport.send(get)
  expect(transport.certificates()).toEqual([])
})
