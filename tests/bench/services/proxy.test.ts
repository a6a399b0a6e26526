/** The proxy between a tool and a product passes on what comes, and logs it. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exchangesOf, startProxy } from '../../../bench/services/proxy.ts'
import { emptyFolder } from '../../folder.ts'
import { freePort } from '../../free-port.ts'
import { listen } from '../../listen.ts'

test('requests and responses go through unchanged and are logged, whatever letters they have', async () => {
  const seen: string[] = []
  const service = createServer(async (request, response) => {
    const { method, url, rawHeaders } = request
    seen.push(`${method} ${url} ${rawHeaders.join(' ')} ${await text(request)}`)
    if (url === '/broken') request.socket.destroy()
    else if (url === '/zipped') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync('{"zipped":true}'))
    } else if (url === '/long') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify('a'.repeat(100_000)))
    } else {
      response.writeHead(418, 'I brew', { 'content-type': 'application/json', 'x-a': ['1', '2'] })
      response.end('"\u2028\n"')
    }
  })
  const { url, close } = await listen(service)
  const file = join(emptyFolder(), 'traffic.ndjson')
  const port = Number(await freePort())
  const proxy = await startProxy(port, Number(new URL(url).port), file)
  const send = (raw: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(raw)
    return text(socket)
  }
  const head = 'Host: shop.test\r\nx-a: b\r\nX-A: c\r\nConnection: close\r\n'

  const brewed = await send(`POST /pets?a=%2F HTTP/1.1\r\n${head}Content-Length: 3\r\n\r\nRex`)
  expect(brewed).toMatch(/^HTTP\/1.1 418 I brew\r\n/)
  expect(brewed).toContain('x-a: 1\r\nx-a: 2\r\n')
  expect(brewed).toMatch(/\r\n\r\n(?:\w+\r\n)?"\u2028\n"/)
  expect(seen[0]).toBe('POST /pets?a=%2F Host shop.test x-a b X-A c Connection close Content-Length 3 Rex')

  expect(await send(`GET /zipped HTTP/1.1\r\n${head}\r\n`)).toContain('content-encoding: gzip')
  expect((await send(`GET /long HTTP/1.1\r\n${head}\r\n`)).length).toBeGreaterThan(100_000)
  expect(await send(`GET /broken HTTP/1.1\r\n${head}\r\n`)).toBe('')
  expect(await send(`GET /pets HTTP/1.1\r\n${head}X-Nul: \0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /)

  const before = seen.length
  for (const method of ['POST', 'DELETE']) await send(`${method} /pets HTTP/1.1\r\n${head}\r\n`)
  const passedOn = '/pets Host shop.test x-a b X-A c Connection close'
  expect(seen.slice(before)).toEqual([`POST ${passedOn} Content-Length 0 `, `DELETE ${passedOn} `])

  expect(await send('HEAD /pets HTTP/1.0\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 418 /)

  await proxy.stop()
  await close()
  const logged = await Array.fromAsync(exchangesOf(file), ({ ms, ...others }) => others)
  const json = { type: 'application/json', isCut: false }
  expect(logged).toMatchObject([
    { method: 'POST', target: '/pets?a=%2F', status: 418, ...json, body: '"\u2028\n"', sent: 'Rex' },
    { method: 'GET', target: '/zipped', status: 200, ...json, body: '{"zipped":true}' },
    { method: 'GET', target: '/long', status: 200, ...json, body: '', isCut: true },
    { method: 'GET', target: '/broken', status: null },
    { method: 'POST', target: '/pets', status: 418, sent: '' },
    { method: 'DELETE', target: '/pets', status: 418, sent: '' },
    { method: 'HEAD', target: '/pets', status: 418 },
  ])
})

test('a service that ends its connection ends that of the client with it, and loses no request of another one', async () => {
  // A response that announces a connection which is kept, and the end of it.
  const service = createServer((request, response) => {
    response.writeHead(200, { Connection: 'keep-alive', 'Content-Length': '2' })
    response.end('ok', () => request.socket.end())
  })
  const { url, close } = await listen(service)
  const port = Number(await freePort())
  const proxy = await startProxy(port, Number(new URL(url).port), join(emptyFolder(), 'traffic.ndjson'))
  for (let client = 0; client < 20; client++) {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /pets HTTP/1.1\r\nHost: shop.test\r\nConnection: keep-alive\r\n\r\n')
    // This ends when the connection does.
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n.*ok$/s)
  }
  await proxy.stop()
  await close()
})
