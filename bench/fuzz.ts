/** Fuzzes the mock over raw sockets and judges every response. The seeds are fixed; exit code 1 if there is any fault. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadContract } from '../spec/index.ts'
import { type Fault, type Fuzzed, faultText, fuzz } from '../tests/mock/fuzz/index.ts'
import { liveMemory, memoryOf, serveMock } from './child.ts'
import { machine, publish, table } from './page.ts'

const concurrency = 32
const boundMs = 15_000
/** Memory is measured after each part. */
const partCount = 3
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const contracts = [
  {
    name: 'the plant store',
    document: '../spec/openapi/plant-store.openapi.yaml',
    token: 'fuzz-token',
    requests: 60_000,
  },
  {
    name: 'the library',
    document: '../tests/documents/library.openapi.yaml',
    token: 'fuzz-token',
    requests: 35_000,
  },
  {
    name: 'payments',
    document: '../tests/documents/payments.openapi.yaml',
    token: 'user:password',
    requests: 35_000,
  },
] as const

type Run = {
  readonly name: string
  readonly parts: readonly Fuzzed[]
  readonly live: readonly number[]
  readonly resident: readonly number[]
  readonly exitCode: number | null
}

const run = async ({ name, document, token, requests }: (typeof contracts)[number]): Promise<Run> => {
  const contract = await loadContract({ from: path(document) })
  const server = await serveMock(path(document))
  const port = Number(new URL(server.url).port)
  const parts: Fuzzed[] = []
  const [live, resident]: [number[], number[]] = [[], []]
  for (let part = 0; part < partCount; part++) {
    process.stderr.write(`${name}: ${requests} requests, part ${part + 1} of ${partCount}\n`)
    const seed = 1 + 1_000_000 * part
    const fuzzed = await fuzz({ contract, token, port, seed, requests, concurrency, boundMs })
    parts.push(fuzzed)
    if (fuzzed.faults.some(({ kind }) => kind === 'crash')) break
    resident.push(memoryOf(server.pid).now)
    live.push(await liveMemory(server))
  }
  return { name, parts, live, resident, exitCode: await server.stop() }
}

const countFaults = ({ parts, exitCode }: Run, kind: Fault['kind']): number => {
  const reported = parts.flatMap(({ faults }) => faults).filter(fault => fault.kind === kind).length
  // 143: the mock kept running until SIGTERM.
  return reported + (kind === 'crash' && exitCode !== 143 ? 1 : 0)
}

const runs: Run[] = []
for (const contract of contracts) runs.push(await run(contract))

const faults = runs.flatMap(({ parts }) => parts.flatMap(part => part.faults))
const folder = path('../test-results/fuzz')
if (faults.length > 0) mkdirSync(folder, { recursive: true })
for (const fault of faults) {
  const file = `${folder}/${fault.kind}-${fault.seed}.bin`
  writeFileSync(file, fault.sent)
  process.stderr.write(`${faultText(fault).slice(0, 1000)}\n  reproduce: nc 127.0.0.1 4010 < ${file}\n`)
}

const count = (value: number): string => value.toLocaleString('en-US')
const row = (name: string, pick: (run: Run) => number): readonly string[] => {
  const values = runs.map(pick)
  return [name, ...values.map(count), count(values.reduce((sum, value) => sum + value, 0))]
}
const sum = (pick: (part: Fuzzed) => number) => (run: Run) =>
  run.parts.reduce((total, part) => total + pick(part), 0)
const memory = (name: string, pick: (run: Run) => readonly number[]): readonly string[] => [
  name,
  ...runs.map(
    run =>
      `${pick(run)
        .map(value => value.toFixed(0))
        .join(' · ')} MB`,
  ),
  '',
]
const statuses: Record<string, number> = {}
for (const { parts } of runs)
  for (const part of parts)
    for (const [status, times] of Object.entries(part.statuses))
      statuses[status] = (statuses[status] ?? 0) + times

if (faults.length > 0 || runs.some(run => countFaults(run, 'crash') > 0)) process.exitCode = 1
publish(
  'bench:fuzz',
  [
    `\`npm run bench:fuzz\` on ${machine()}; ${concurrency} connections at a time, the mock in a separate process.`,
    '',
    table(
      ['', ...runs.map(({ name }) => name), 'total'],
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
          'valid requests that succeeded',
          sum(part => part.succeeded),
        ),
        row('**crashes**', run => countFaults(run, 'crash')),
        row('**hangs**', run => countFaults(run, 'hang')),
        row('**responses outside the contract**', run => countFaults(run, 'response')),
        memory('live memory after each part', ({ live }) => live),
        memory('resident memory after each part', ({ resident }) => resident),
      ],
    ),
    '',
    `Final responses by status: ${Object.entries(statuses)
      .map(([status, times]) => `${status} ${count(times)}`)
      .join(' · ')}.`,
  ].join('\n'),
  'reliability.md',
)
