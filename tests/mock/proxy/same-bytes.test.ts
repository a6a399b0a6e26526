/** What a client gets through a proxy is what it gets without one, byte for byte (`npm run bench:proxy` sends more). */
import { expect, onTestFinished, test } from 'vitest'
import { compareBytes, startFaultyStore } from './same-bytes.ts'
import { startProxy } from './through.ts'

test('a faulty store: pipelined, in chunks, 1 MB, events, and connections that end in every way', async () => {
  const store = await startFaultyStore()
  onTestFinished(store.close)
  const proxy = await startProxy(store.url)
  const { requests, bytes, differences } = await compareBytes(store.url, proxy.url, 300)
  expect(differences.slice(0, 3)).toEqual([])
  expect([requests, bytes > 5_000_000]).toEqual([300, true])
})
