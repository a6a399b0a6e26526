/** The mock's own routes are not for pages under a name that leads to this machine (DNS rebinding). */
import { expect, test } from 'vitest'
import { exchange, head, startMock } from '../client.ts'

const statusOf = async (host: string, request: string, options = {}): Promise<string | undefined> => {
  const mock = await startMock(options)
  const text = await exchange(mock, head(`${request} HTTP/1.1`, `Host: ${host}`, 'Connection: close'))
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
}

const scenarios = 'DELETE /__plantstore/scenarios'

test.each([
  'evil.example:4120',
  'evil.example',
  'EVIL.example.',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a.test.evil.example',
])('to Host %s they are closed', async host => {
  for (const request of [
    scenarios,
    'GET /__plantstore/requests',
    'GET /__plantstore/',
    'GET /__plantstore/events',
  ])
    expect(await statusOf(host, request)).toBe('403')
})

test.each([
  '127.0.0.1:4120',
  'localhost:4120',
  'LOCALHOST',
  'shop.localhost:4120',
  '[::1]:4120',
  '192.168.0.7',
  // A container by the name of its service.
  'mock:4010',
  'host.docker.internal:4010',
])('to Host %s they are open', async host => {
  expect(await statusOf(host, scenarios)).toBe('200')
})

test('monitoring may use any name, and so may the paths of the contract', async () => {
  expect(await statusOf('mock.shop.example', 'GET /__plantstore/health')).toBe('200')
  expect(await statusOf('mock.shop.example', 'GET /__plantstore/metrics')).toBe('200')
  expect(await statusOf('mock.shop.example', 'GET /nowhere')).toBe('404')
})

test('a page that names itself as its own origin is told so too', async () => {
  const mock = await startMock()
  const host = 'evil.example:4120'
  const text = await exchange(
    mock,
    head(`${scenarios} HTTP/1.1`, `Host: ${host}`, `Origin: http://${host}`, 'Connection: close'),
  )
  expect(text).toContain('use an address, localhost, or a name that is given with --host')
})
