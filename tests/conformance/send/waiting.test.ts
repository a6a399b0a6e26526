/** Which operations make all others wait, as far as a run sees it. */
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { accessOf } from '../../../conformance/options/access.ts'
import { createTransport } from '../../../conformance/send/transport/index.ts'
import { waitingOf } from '../../../conformance/send/waiting.ts'
import { listen } from '../../listen.ts'

/** Answers nothing at a path that begins with `/hang`; `isSerial`: nor anything else while a client waits for that. */
const start = async (isSerial: boolean) => {
  const waiting = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/hang') === true) waiting.add(response)
    else if (!isSerial || waiting.size === 0) response.end('1')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const transport = createTransport({
    ...accessOf({ timeoutMs: 300 }),
    target: new URL(url),
    token: () => '',
  })
  onTestFinished(transport.close)
  const waits = waitingOf(transport)
  const send = (operation: string, target = `/${operation}`) =>
    waits.watched(operation).send({ method: 'GET', target, headers: [], body: null, chunked: false })
  return { ...waits, send, recover: () => waiting.clear() }
}

test('what hung before others did, and nothing was answered since, makes them wait', async () => {
  const { send, holdsUp, recover } = await start(true)
  await send('other')
  await send('hang')
  expect(holdsUp('hang')).toBe(false)
  await send('other')
  expect([holdsUp('hang'), holdsUp('other')]).toEqual([true, false])
  recover()
  await send('other')
  expect(holdsUp('hang')).toBe(true)
  await send('hang', '/quick')
  expect(holdsUp('hang')).toBe(false)
})

test('what hangs alone, while others are answered, does not', async () => {
  const { send, holdsUp } = await start(false)
  await Promise.all([send('hang'), send('other')])
  await send('other')
  await send('hang')
  expect([holdsUp('hang'), holdsUp('other')]).toEqual([false, false])
})
