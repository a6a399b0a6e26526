import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createMock, ListenError, type Mock } from '../../../mock/index.ts'
import { startMock } from '../client.ts'

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url)), 'utf8')
const certificate = { key: pem('server.key'), cert: pem('server.pem') }
const plant = '{"id":1,"name":"Fern"}'

const post = (mock: Mock, options: ConnectionOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer a', 'Content-Type': 'application/json' }
    const sent = request(
      `${mock.url}/plants`,
      { method: 'POST', headers, agent: false, ...options },
      response => {
        let text = `${response.statusCode} `
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve(text))
      },
    )
    sent.on('error', reject)
    sent.end(plant)
  })

/** Sends bytes over TLS, may close this side, and returns all that it receives. */
const over = (mock: Mock, bytes: string, end: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const port = Number(new URL(mock.url).port)
    const raw = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const socket = connectTls({ socket: raw, ca: mock.certificate ?? '', servername: 'localhost' })
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('error', reject)
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(text))
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })

test('clients that trust the certificate of the mock reach it by each local name; others do not', async () => {
  const mock = await startMock({ tls: true })
  expect(mock.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const ca = mock.certificate ?? ''
  expect(await post(mock, { ca })).toBe('200 {"name":"Fern"}')
  expect(await post(mock, { ca, servername: 'localhost' })).toBe('200 {"name":"Fern"}')
  await expect(post(mock, {})).rejects.toThrow('self-signed certificate')
  await expect(
    post(mock, { ca, checkServerIdentity: () => new Error('checked'), servername: 'other.test' }),
  ).rejects.toThrow('checked')
  const another = await startMock({ tls: true })
  expect(another.certificate).not.toBe(mock.certificate)
})

test('the mock uses a certificate from the options', async () => {
  const mock = await startMock({ tls: certificate })
  expect(mock.certificate).toBe(certificate.cert)
  expect(await post(mock, { ca: pem('ca.pem') })).toBe('200 {"name":"Fern"}')
})

test.each([
  [
    { ...certificate, cert: 'no' },
    'invalid TLS certificate: it must be PEM, beginning with -----BEGIN CERTIFICATE-----',
  ],
  [
    { ...certificate, key: 'no' },
    'invalid TLS key: it must be PEM, beginning with -----BEGIN PRIVATE KEY-----, without a passphrase',
  ],
  [{ ...certificate, key: pem('client.key') }, 'the TLS key does not belong to the certificate'],
])('an unusable certificate is an error of one line (%#)', async (tls, message) => {
  await expect(createMock({ tls })).rejects.toThrow(new ListenError(message))
})

test('limits and rejections are those of plain HTTP', async () => {
  const mock = await startMock({ tls: true, limits: { headersMs: 400 } })
  const whole = `POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: ${plant.length}\r\n\r\n${plant}`
  expect(await over(mock, `${whole}nonsense\r\n\r\n`, true)).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*credentials are missing[\s\S]*HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*not HTTP\/1\.1/,
  )
  expect(await over(mock, whole.slice(0, 30), false)).toMatch(/^HTTP\/1\.1 408 /)
  // No handshake at all.
  const port = Number(new URL(mock.url).port)
  const socket = connect(port, '127.0.0.1')
  await new Promise(resolve =>
    socket
      .on('error', () => {})
      .resume()
      .once('close', resolve),
  )
})

test('closing waits neither for handshakes nor for idle connections', async () => {
  const mock = await createMock({ tls: true, limits: { closeMs: 60_000 } })
  const silent = connect(Number(new URL(mock.url).port), '127.0.0.1')
    .on('error', () => {})
    .resume()
  await post(mock, { ca: mock.certificate ?? '' })
  const ended = new Promise(resolve => silent.once('close', resolve))
  const began = performance.now()
  await mock.close()
  await ended
  expect(performance.now() - began).toBeLessThan(30_000)
})
