import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import parse from 'parse-prometheus-text-format'
import { expect, test } from 'vitest'
import { metricsFormat, metricsText } from '../../../mock/admin/metrics-routes.ts'
import type { Mock } from '../../../mock/index.ts'
import { emptyFolder } from '../../folder.ts'
import { bearer, exchange, json, postPlant, send, startMock } from '../client.ts'

const scrape = async (mock: Mock, accept = '*/*') => {
  const response = await fetch(`${mock.url}/__plantstore/metrics`, { headers: { accept } })
  const text = await response.text()
  return { type: response.headers.get('content-type'), text, families: parse(text) }
}

type Scraped = Awaited<ReturnType<typeof scrape>>

/** The samples of a metric, each as `value` by its labels in one line. */
const samples = ({ families }: Scraped, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (families.find(family => family.name === name)?.metrics ?? []).map(({ labels = {}, value }) => [
      Object.entries(labels)
        .map(([key, label]) => `${key}=${label}`)
        .join(' '),
      value,
    ]),
  )

test('requests are counted by operation, by status, and by the violations in them', async () => {
  const mock = await startMock({ maxBodyBytes: 100 })
  await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  await send(mock, postPlant('{"id":2,"name":"Fern"}'))
  await send(mock, postPlant('{"id":"1"}'))
  await send(mock, { method: 'POST', path: '/plants', headers: json, body: '{"id":1,"name":"Fern"}' })
  await exchange(
    mock,
    'POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 101\r\n\r\n',
  )
  await send(mock, { method: 'GET', path: '/plants', headers: bearer })
  for (const path of ['/a', '/b?c', '/plants/1']) await send(mock, { method: 'GET', path })
  await exchange(mock, 'NONSENSE\r\n\r\n')
  const scraped = await scrape(mock)
  expect(samples(scraped, 'plantstore_requests_total')).toEqual({
    'operation=createPlant status=200 verdict=valid family=': '2',
    'operation=createPlant status=400 verdict=invalid family=reject': '1',
    'operation=createPlant status=400 verdict=invalid family=auth': '1',
    'operation=createPlant status=400 verdict=too-large family=': '1',
    'operation=(none) status=405 verdict=undeclared family=': '1',
    'operation=(none) status=404 verdict=undeclared family=': '3',
    'operation=(none) status=400 verdict=unreadable family=': '1',
  })
  expect(samples(scraped, 'plantstore_violations_total')).toEqual({
    'operation=createPlant family=reject part=body': '2',
    'operation=createPlant family=auth part=credentials': '1',
  })
  // 22 bytes twice, 10, and 22 without credentials; the large body is not read.
  expect(samples(scraped, 'plantstore_request_body_bytes_total')).toEqual({ '': '76' })
})

test('durations are a histogram of cumulative buckets', async () => {
  const mock = await startMock()
  for (let count = 0; count < 5; count++) await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  // The parser mixes up histograms with labels, so their lines are read here.
  const { families, text } = await scrape(mock)
  expect(families.find(({ name }) => name === 'plantstore_request_duration_seconds')?.type).toBe('HISTOGRAM')
  const line =
    /^plantstore_request_duration_seconds_(\w+)\{operation="createPlant"(?:,le="([^"]+)")?\} (\S+)$/gm
  const lines = [...text.matchAll(line)].map(([, part = '', le = '', value = '']) => ({ part, le, value }))
  const bounds = lines
    .filter(({ part }) => part === 'bucket')
    .map(({ le, value }) => [Number(le.replace('+Inf', 'Infinity')), Number(value)])
  const sum = lines.find(({ part }) => part === 'sum')?.value
  expect(lines.find(({ part }) => part === 'count')?.value).toBe('5')
  expect(bounds).toHaveLength(16)
  for (const [index, [bound = 0, count = 0]] of bounds.entries()) {
    expect(bound).toBeGreaterThan(bounds[index - 1]?.[0] ?? 0)
    expect(count).toBeGreaterThanOrEqual(bounds[index - 1]?.[1] ?? 0)
  }
  expect(bounds.at(-1)).toEqual([Number.POSITIVE_INFINITY, 5])
  expect(Number(sum)).toBeGreaterThan(0)
})

test('open connections and requests in flight go up and come down', async () => {
  const mock = await startMock()
  const request = 'GET /__plantstore/metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const gauge = async (name: string) => {
    const [, value] = new RegExp(`^${name} (\\d+)$`, 'm').exec(await exchange(mock, request)) ?? []
    return Number(value)
  }
  const before = await gauge('plantstore_connections_open')
  const sockets = [1, 2, 3].map(() => connect(Number(new URL(mock.url).port), '127.0.0.1'))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  await expect.poll(() => gauge('plantstore_connections_open')).toBe(before + 3)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => gauge('plantstore_connections_open')).toBe(before)
  expect(await gauge('plantstore_requests_in_flight')).toBe(0)
})

test('admin routes are not counted, and pages of other origins cannot scrape', async () => {
  const mock = await startMock()
  await scrape(mock)
  expect(samples(await scrape(mock), 'plantstore_requests_total')).toEqual({})
  const foreign = await fetch(`${mock.url}/__plantstore/metrics`, {
    headers: { origin: 'http://shop.example' },
  })
  expect(foreign.status).toBe(403)
})

test('metrics include the memory, CPU time and age of the process', async () => {
  const scraped = await scrape(await startMock())
  const value = (name: string) => Number(samples(scraped, name)[''])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(value('process_heap_bytes')).toBeGreaterThan(1_000_000)
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  const age = Date.now() / 1000 - value('process_start_time_seconds')
  expect(Math.abs(age - value('process_uptime_seconds'))).toBeLessThan(5)
})

test('clients that prefer OpenMetrics get it', async () => {
  const mock = await startMock()
  await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  const plain = await scrape(mock)
  expect(plain.type).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(plain.text).toContain('# TYPE plantstore_requests_total counter\n')
  const open = await scrape(
    mock,
    'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3',
  )
  expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(open.text).toContain(
    '# TYPE plantstore_requests counter\nplantstore_requests_total{operation="createPlant"',
  )
  expect(open.text).toContain('le="1.0"} 1\n')
  expect(open.text).toMatch(/[^\n]\n# EOF\n$/)
})

test.each([
  ['', 'prometheus'],
  ['*/*', 'prometheus'],
  ['text/plain', 'prometheus'],
  ['application/openmetrics-text', 'openmetrics'],
  ['application/openmetrics-text;q=0', 'prometheus'],
  ['application/openmetrics-text; version=0.0.1; q=0.2, text/plain; q=0.9', 'prometheus'],
  [
    'Application/OpenMetrics-Text;version=1.0.0;q=0.5, text/plain;version=0.0.4;q=0.4, */*;q=0.1',
    'openmetrics',
  ],
  ['text/html;q=, application/openmetrics-text;q=x', 'prometheus'],
])('Accept: %s gets %s', (accept, format) => {
  expect(metricsFormat(accept)).toBe(format)
})

test('labels can contain any character', () => {
  const nasty = 'a"b\\n\\\nc{},=\u{1f331}'
  const metric = {
    name: 'odd',
    type: 'gauge',
    help: 'h',
    samples: [{ labels: { nasty }, value: 0.1 }],
  } as const
  expect(parse(metricsText([metric], 'prometheus'))).toEqual([
    { name: 'odd', help: 'h', type: 'GAUGE', metrics: [{ labels: { nasty }, value: '0.1' }] },
  ])
})

test('a document with an unusable file shows in the metrics', async () => {
  const file = join(emptyFolder(), 'api.yaml')
  writeFileSync(
    file,
    'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: {} } } }\n',
  )
  const broken = Promise.withResolvers<void>()
  const mock = await startMock({ documents: { '/x': file }, watch: true, warn: () => broken.resolve() })
  expect(samples(await scrape(mock), 'plantstore_document_stale')).toEqual({ 'prefix=/x': '0' })
  writeFileSync(file, '[')
  await broken.promise
  expect(samples(await scrape(mock), 'plantstore_document_stale')).toEqual({ 'prefix=/x': '1' })
})
