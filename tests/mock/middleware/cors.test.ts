import { expect, test } from 'vitest'
import type { Mock, MockOptions } from '../../../mock/index.ts'
import { startMock } from '../client.ts'

const start = (options: MockOptions = {}): Promise<Mock> => startMock({ tokens: ['secret'], ...options })

const origin = 'http://shop.example'
const preflight = {
  Origin: origin,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization, content-type',
}

test('a preflight is allowed everything that it requests, without credentials', async () => {
  const { url } = await start()
  const response = await fetch(`${url}/plants`, { method: 'OPTIONS', headers: preflight })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('access-control-allow-methods')).toBe('POST')
  expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
})

test('the requesting origin may read responses, also failures, and caches keep origins apart', async () => {
  const { url } = await start({ unauthenticated: '401' })
  const response = await fetch(`${url}/plants`, { method: 'POST', headers: { Origin: origin }, body: '{}' })
  expect(response.status).toBe(401)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  expect(response.headers.get('vary')).toBe('Origin')
})

test('requests without an origin get no headers beyond the contract', async () => {
  const { url } = await start()
  const response = await fetch(`${url}/plants`, { method: 'POST', body: '{}' })
  expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
})

test('without CORS a preflight is an undeclared method', async () => {
  const { url } = await start({ cors: false })
  const response = await fetch(`${url}/plants`, { method: 'OPTIONS', headers: preflight })
  expect(response.status).toBe(405)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

test('anybody can read the health of the mock', async () => {
  const { url } = await start()
  const response = await fetch(`${url}/__plantstore/health`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok', contract: 'Plant Store 1.0.0', operations: 1 })
  expect((await fetch(`${url}/__plantstore/health`, { method: 'POST' })).status).toBe(404)
})
