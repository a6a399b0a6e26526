/**
 * Compares the proxy with a bare reverse proxy of node:http in front of the same server: latency, and memory over many requests. And
 * the bytes that come through it with those that a faulty server sends: exits with 1 if they differ.
 */
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { compareBytes, startFaultyStore } from '../tests/mock/proxy/same-bytes.ts'
import { memoryOf, type Server, serve } from './child.ts'
import { machine, median, publish, table } from './page.ts'
import { openSocket, plantBytes } from './plant-socket.ts'
import { recordRatio } from './ratios.ts'

const rounds = 5
const perRound = 2000
const many = 100_000
const compared = 10_000
const connections = 16

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const start = (file: string, ...args: readonly string[]): Promise<Server> =>
  serve(process.execPath, [path(file), ...args], { PORT: '0' })

/** Milliseconds from a request to the end of its response, which ends with the plant. */
const exchange = (socket: Socket): Promise<number> =>
  new Promise(resolve => {
    const began = performance.now()
    let text = ''
    const read = (data: Buffer): void => {
      text += data.toString('latin1')
      if (!/\}(?:\r\n0\r\n\r\n)?$/.test(text)) return
      socket.off('data', read)
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(`unexpected response: ${text}`)
      resolve(performance.now() - began)
    }
    socket.on('data', read)
    socket.write(plantBytes)
  })

const times = async (url: string, count: number): Promise<number[]> => {
  const socket = await openSocket(url)
  const measured: number[] = []
  for (let left = count; left > 0; left--) measured.push(await exchange(socket))
  socket.destroy()
  return measured
}

const store = await start('./bare-store.ts')
const bare = await start('./bare-proxy.ts', store.url)
const proxy = await start('../cli/main.js', 'proxy', store.url, '--port', '0', '--log', 'none')
const urls = { direct: store.url, bare: bare.url, proxy: proxy.url }
const all: Record<keyof typeof urls, number[]> = { direct: [], bare: [], proxy: [] }
try {
  for (const url of Object.values(urls)) await times(url, perRound)
  for (let round = 0; round < rounds; round++)
    for (const [name, url] of Object.entries(urls) as [keyof typeof urls, string][])
      all[name].push(...(await times(url, perRound)))
  const load = (count: number) =>
    Promise.all(Array.from({ length: connections }, () => times(proxy.url, count / connections)))
  await load(many / 10)
  const before = memoryOf(proxy.pid).now
  await load(many)
  const after = memoryOf(proxy.pid)
  const faulty = await startFaultyStore()
  const inFront = await start('../cli/main.js', 'proxy', faulty.url, '--port', '0', '--log', 'none')
  const { requests, bytes, differences } = await compareBytes(faulty.url, inFront.url, compared)
  for (const each of differences.slice(0, 3)) process.stderr.write(`${JSON.stringify(each).slice(0, 2000)}\n`)
  if (differences.length > 0) process.exitCode = 1
  await inFront.stop()
  await faulty.close()
  const byRound = (values: readonly number[]): readonly number[] =>
    Array.from({ length: rounds }, (_, round) =>
      median(values.slice(round * perRound, (round + 1) * perRound)),
    )
  recordRatio('proxy · bare reverse proxy', byRound(all.bare), byRound(all.proxy))
  const us = (values: readonly number[]): number => median(values) * 1000
  const row = (name: string, values: readonly number[]): readonly string[] => [
    name,
    `${us(values).toFixed(0)} µs`,
    `${(us(values) - us(all.direct)).toFixed(0)} µs`,
  ]
  const section = [
    `\`npm run bench:proxy\` on ${machine()}; a valid POST with a JSON body, one connection at a time, ${(rounds * perRound).toLocaleString('en-US')} requests for each, in turns.`,
    table(
      ['', 'median latency', 'more than direct'],
      [
        row('direct', all.direct),
        row('bare reverse proxy of node:http', all.bare),
        row('this proxy, judging request and response', all.proxy),
      ],
    ),
    `The proxy adds ${(us(all.proxy) - us(all.bare)).toFixed(0)} µs to what the bare one takes. Over ${many.toLocaleString('en-US')} more requests on ${connections} connections its resident memory went from ${before.toFixed(0)} to ${after.now.toFixed(0)} MB (peak ${after.peak.toFixed(0)} MB).`,
    `In front of a faulty store, ${differences.length} of ${requests.toLocaleString('en-US')} responses (${(bytes / 1e6).toFixed(0)} MB) differ from those of a direct connection, byte for byte, but for the cut of chunks and \`Connection: close\`: pipelined, with broken bodies, in chunks with trailers, of 1 MB, events, and connections that the server ends in five ways, while clients disappear in the middle of a body.`,
  ]
  publish('bench:proxy', section.join('\n\n'))
} finally {
  for (const server of [proxy, bare, store]) await server.stop()
}
