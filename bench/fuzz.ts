/** Sends the mock what no client should, over raw sockets, and judges every answer. Fixed seeds; exit code 1 at any fault. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadContract } from '../spec/index.ts'
import { type Fault, type Fuzzed, faultText, fuzz } from '../tests/mock/fuzz/index.ts'
import { liveMemory, memoryOf, serveMock } from './child.ts'
import { machine, publish, table } from './page.ts'

const concurrency = 32
const boundMs = 15_000
/** Between them it is measured what the mock holds. */
const thirds = 3
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const contracts = [
  {
    name: 'the plant store',
    document: '../spec/plant-store.openapi.yaml',
    token: 'fuzz-token',
    each: 60_000,
  },
  {
    name: 'the library',
    document: '../tests/documents/library.openapi.yaml',
    token: 'fuzz-token',
    each: 35_000,
  },
  {
    name: 'payments',
    document: '../tests/documents/payments.openapi.yaml',
    token: 'user:password',
    each: 35_000,
  },
] as const

type Ran = {
  readonly name: string
  readonly parts: readonly Fuzzed[]
  readonly live: readonly number[]
  readonly resident: readonly number[]
  readonly ended: number | null
}

const run = async ({ name, document, token, each }: (typeof contracts)[number]): Promise<Ran> => {
  const contract = await loadContract({ from: path(document) })
  const server = await serveMock(path(document))
  const port = Number(new URL(server.url).port)
  const parts: Fuzzed[] = []
  const [live, resident]: [number[], number[]] = [[], []]
  for (let part = 0; part < thirds; part++) {
    process.stderr.write(`${name}: ${each} requests, part ${part + 1} of ${thirds}\n`)
    const seed = 1 + 1_000_000 * part
    const fuzzed = await fuzz({ contract, token, port, seed, requests: each, concurrency, boundMs })
    parts.push(fuzzed)
    if (fuzzed.faults.some(({ kind }) => kind === 'crash')) break
    resident.push(memoryOf(server.pid).now)
    live.push(await liveMemory(server))
  }
  return { name, parts, live, resident, ended: await server.stop() }
}

const faultsOf = ({ parts, ended }: Ran, kind: Fault['kind']): number => {
  const own = parts.flatMap(({ faults }) => faults).filter(fault => fault.kind === kind).length
  // 143: it was there to be asked to end.
  return own + (kind === 'crash' && ended !== 143 ? 1 : 0)
}

const ran: Ran[] = []
for (const one of contracts) ran.push(await run(one))

const faults = ran.flatMap(({ parts }) => parts.flatMap(part => part.faults))
const folder = path('../test-results/fuzz')
if (faults.length > 0) mkdirSync(folder, { recursive: true })
for (const fault of faults) {
  const file = `${folder}/${fault.kind}-${fault.seed}.bin`
  writeFileSync(file, fault.sent)
  process.stderr.write(`${faultText(fault).slice(0, 1000)}\n  again: nc 127.0.0.1 4010 < ${file}\n`)
}

const count = (value: number): string => value.toLocaleString('en-US')
const row = (name: string, pick: (one: Ran) => number): readonly string[] => {
  const values = ran.map(pick)
  return [name, ...values.map(count), count(values.reduce((sum, value) => sum + value, 0))]
}
const sum = (pick: (part: Fuzzed) => number) => (one: Ran) =>
  one.parts.reduce((total, part) => total + pick(part), 0)
const memory = (name: string, pick: (one: Ran) => readonly number[]): readonly string[] => [
  name,
  ...ran.map(
    one =>
      `${pick(one)
        .map(value => value.toFixed(0))
        .join(' · ')} MB`,
  ),
  '',
]
const statuses: Record<string, number> = {}
for (const { parts } of ran)
  for (const part of parts)
    for (const [status, times] of Object.entries(part.statuses))
      statuses[status] = (statuses[status] ?? 0) + times

if (faults.length > 0 || ran.some(one => faultsOf(one, 'crash') > 0)) process.exitCode = 1
publish(
  'bench:fuzz',
  [
    `\`npm run bench:fuzz\` on ${machine()}; ${concurrency} connections at a time, the mock in a process of its own.`,
    '',
    table(
      ['', ...ran.map(({ name }) => name), 'all'],
      [
        row(
          'connections',
          sum(part => part.connections),
        ),
        row(
          'requests',
          sum(part => part.requests),
        ),
        row(
          'valid ones, answered with their success',
          sum(part => part.succeeded),
        ),
        row('**crashes**', one => faultsOf(one, 'crash')),
        row('**hangs**', one => faultsOf(one, 'hang')),
        row('**answers outside the contract**', one => faultsOf(one, 'answer')),
        memory('live memory after each third', ({ live }) => live),
        memory('resident memory after each third', ({ resident }) => resident),
      ],
    ),
    '',
    `Final answers by status: ${Object.entries(statuses)
      .map(([status, times]) => `${status} ${count(times)}`)
      .join(' · ')}.`,
  ].join('\n'),
  'reliability.md',
)
