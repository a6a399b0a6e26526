/** The console's server-sent events. */

import { connect } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventStream } from '../../../mock/console/events.ts'
import type { ExchangeSummary } from '../../../mock/console/messages.ts'
import { createContext } from '../../../mock/engine/context.ts'
import type { Mock } from '../../../mock/index.ts'
import { createJournal } from '../../../mock/middleware/journal.ts'
import { send, startMock } from '../client.ts'
import { callConsole } from './call-console.ts'

/** Reads events until there are this many entries; `onRead`: called with those that there are. */
const readEvents = async (
  mock: Mock,
  count: number,
  headers: Record<string, string> = {},
  onRead: (entries: readonly ExchangeSummary[]) => unknown = () => {},
) => {
  const abort = new AbortController()
  const response = await callConsole(mock, 'events', { headers, signal: abort.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array)
    const entries = entriesIn(text)
    if (entries.length >= count) break
    await onRead(entries)
  }
  abort.abort()
  return { entries: entriesIn(text), run: /event: run\ndata: (\S+)/.exec(text)?.[1] }
}

const entriesIn = (text: string): readonly ExchangeSummary[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .filter(event => event.includes('event: entries'))
    .flatMap(event => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '[]') as ExchangeSummary[])

const createStream = () => {
  const journal = createJournal({ now: () => 0, ticks: () => 0 })
  const stream = eventStream(journal, 'run', null, ({ number }) => number)[Symbol.asyncIterator]()
  return { journal, stream }
}
const textOf = ({ value }: IteratorResult<Uint8Array>): string =>
  new TextDecoder().decode(value as Uint8Array)

describe('events', () => {
  test('start with the kept requests, continue with new ones, and resume after the last event id', async () => {
    const mock = await startMock()
    for (const path of ['/1', '/2', '/3']) await send(mock, { method: 'GET', path })
    const { run, entries } = await readEvents(mock, 4, {}, ({ length }) =>
      length === 3 ? send(mock, { method: 'GET', path: '/4' }) : null,
    )
    expect(entries.map(({ target }) => target)).toEqual(['/1', '/2', '/3', '/4'])
    const resumed = await readEvents(mock, 1, { 'Last-Event-ID': `${run}.2` })
    expect(resumed.entries[0]?.number).toBe(3)
    const otherRun = await readEvents(mock, 1, { 'Last-Event-ID': 'another.2' })
    expect(otherRun.entries[0]?.number).toBe(1)
  })

  test('end with the mock', async () => {
    const mock = await startMock()
    const response = await callConsole(mock, 'events')
    const reader = response.body?.getReader()
    await reader?.read()
    const end = reader?.read().then(
      ({ done }) => done,
      () => true,
    )
    await mock.close()
    expect(await end).toBe(true)
  })

  test('are not buffered for a client that does not read: it gets what the journal still has', async () => {
    const { journal, stream } = createStream()
    const request = { method: 'GET', target: '/', headers: [], body: null, tooLarge: false, connection: {} }
    const response = { status: 200, headers: [], body: new Uint8Array() }
    await stream.next()
    for (let count = 0; count < 20_000; count++) journal.record(createContext(request), response, 0)
    const batch = textOf(await stream.next())
    expect(JSON.parse(/^data: (.*)$/m.exec(batch)?.[1] ?? '')).toEqual(
      Array.from({ length: 500 }, (_, index) => 19_501 + index),
    )
    expect(batch).toMatch(/^id: run\.20000$/m)
    await stream.return?.()
  })

  test('send a heartbeat while nothing happens, and stop at once when the client leaves', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { stream } = createStream()
    expect(textOf(await stream.next())).toContain('event: run')
    const silent = stream.next()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(textOf(await silent)).toBe(': heartbeat\n\n')
    const waiting = stream.next()
    await vi.advanceTimersByTimeAsync(1)
    // Whatever else runs in this process may have timers too.
    const timers = vi.getTimerCount()
    await stream.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(timers - 1)
  })

  test('leave no listener behind when a client disconnects', async () => {
    const mock = await startMock()
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
    socket.write('GET /__plantstore/events HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
    for (let count = 0; count < 20; count++) await send(mock, { method: 'GET', path: '/' })
    expect(mock.journal.entries()).toHaveLength(20)
  })
})
