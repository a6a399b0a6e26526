/** Requests that own code signs on their way through the proxy. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { RequestHook } from '../../../spec/index.ts'
import { exchanged, httpServer, nextEntry, plantRequest, startProxy } from './through.ts'

const key = 'k-1f8c65f0'
const plant = '{"name":"fern","id":7}'

const signatureOf = (method: string, url: string, body: Uint8Array): string =>
  createHmac('sha256', key).update(`${method} ${url} `).update(body).digest('hex')

const sign: RequestHook = ({ method, url, body }) => ({
  'X-Signature': signatureOf(method, new URL(url).pathname, body ?? new Uint8Array()),
})

/** A server that lets only signed requests through, and answers with the plant that was sent. */
const startGateway = async () => {
  const seen: string[][] = []
  const url = await httpServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    seen.push(request.rawHeaders)
    const isSigned =
      request.headers['x-signature'] === signatureOf(request.method ?? '', request.url ?? '', body)
    response.writeHead(isSigned ? 200 : 403, { 'Content-Type': 'application/json' })
    response.end(isSigned ? body : '{"code":1,"message":"not signed"}')
  })
  return { url, seen }
}

const whole = (text: string): boolean => /\r\n\r\n[\s\S]*[}\]]\s*(?:\r\n0\r\n\r\n)?$/.test(text)

describe.each(['observe', 'enforce'] as const)('mode %s', mode => {
  test.each([
    ['a body at once', plantRequest(plant)],
    [
      'chunks',
      plantRequest('').replace('Content-Length: 0', 'Transfer-Encoding: chunked') +
        `${plant.length.toString(16)}\r\n${plant}\r\n0\r\n\r\n`,
    ],
    ['a signature of its own', plantRequest(plant, 'X-Signature: made-up\r\n')],
  ])('a request with %s is signed, and recorded as the client sent it', async (_name, bytes) => {
    const { url, seen } = await startGateway()
    const proxy = await startProxy(url, { requestHook: sign, mode })
    const entry = nextEntry(proxy)
    expect(await exchanged(proxy.url, bytes, whole)).toContain('200 OK')
    expect(seen).toHaveLength(1)
    expect(seen[0]?.filter(field => field.toLowerCase() === 'x-signature')).toHaveLength(1)
    const { headers, forwarded } = await entry
    expect(forwarded?.violations).toEqual([])
    expect(headers.filter(([name, value]) => name === 'X-Signature' && value !== 'made-up')).toEqual([])
  })

  test.each([
    ['that fails', () => Promise.reject(new Error('no key')), 'the request hook failed: no key'],
    ['that returns a list', () => [] as never, 'the request hook must return an object of headers'],
    ['that sets the length', () => ({ 'Content-Length': '1' }), 'the request hook cannot set Content-Length'],
  ])('a hook %s sends nothing, and the client gets the reason', async (_name, requestHook, reason) => {
    const { url, seen } = await startGateway()
    const proxy = await startProxy(url, { requestHook, mode })
    const run = proxy.record({ product: { name: 'plantstore', version: '0' }, target: new URL(url), at: 0 })
    const answer = await exchanged(proxy.url, plantRequest(plant), text => text.includes('hook'))
    expect(run.counts()).toMatchObject({ exchanges: 1, requests: 0, responses: 0 })
    expect(answer).toMatch(/^HTTP\/1\.1 502/)
    expect(answer).toContain(reason)
    expect(seen).toEqual([])
  })
})

test('a body that is larger than what is kept is not sent unsigned', async () => {
  const { url, seen } = await startGateway()
  const proxy = await startProxy(url, { requestHook: sign, maxBodyBytes: 10 })
  const answer = await exchanged(proxy.url, plantRequest(plant), text => text.includes('hook'))
  expect(answer).toContain('the body is larger than --max-body, so the request hook cannot see it')
  expect(seen).toEqual([])
})

test('credentials that the hook adds are judged, as the server gets them', async () => {
  const { url } = await startGateway()
  const requestHook: RequestHook = async request => ({
    ...(await sign(request)),
    Authorization: 'Bearer of-the-hook',
  })
  const proxy = await startProxy(url, { requestHook })
  const entry = nextEntry(proxy)
  const bare = plantRequest(plant).replace(/Authorization: .*\r\n/, '')
  expect(await exchanged(proxy.url, bare, whole)).toContain('200 OK')
  const { violations, headers } = await entry
  expect(violations).toEqual([])
  expect(JSON.stringify(headers)).not.toContain('of-the-hook')
})
