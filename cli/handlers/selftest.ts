import { Worker } from 'node:worker_threads'
import { type ObligationId, select, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'
import { exitCodes } from '../process/exit.ts'
import { say } from '../process/terminal.ts'
import { isWhole, killMarkdown, killText, type Row } from './selftest/kill-matrix.ts'
import { breakableObligations } from './selftest/mutant-run.ts'
import type { WorkerTask } from './selftest/selftest-worker.ts'

export type SelftestFlags = SpecFlags & {
  readonly only?: readonly string[]
  readonly unauthenticated: UnauthenticatedPolicy
  readonly seed: number
  readonly cases: number
  readonly workers: number
  readonly format: 'text' | 'markdown' | 'json'
}

export const runSelftest = async (flags: SelftestFlags): Promise<number> => {
  const { only = [], seed, cases, unauthenticated, format } = flags
  const { spec, overlay, networkRefs, refFolder, strictDocument } = flags
  const obligations = breakableObligations(await contractOf(flags), unauthenticated)
  const ids = obligations.map(({ id }) => id).filter(select(obligations, { only, skip: [] }))
  const task = { spec, overlay, networkRefs, refFolder, strictDocument, seed, cases, unauthenticated }
  const kills = await breakAll(ids, task, Math.min(flags.workers, ids.length))
  const rows = ids
    .map(id => ({ id, kill: kills.get(id) }))
    .filter((row): row is Row => row.kill !== undefined)
  const write = {
    text: () => killText(rows),
    json: () => JSON.stringify(rows, null, 2),
    markdown: () => killMarkdown(rows),
  }[format]
  printDocumentText(write(), format)
  return isWhole(rows) ? exitCodes.conformant : exitCodes.nonconformant
}

/** Breaks the obligations in worker threads; a free worker takes the next one. */
const breakAll = async (
  ids: readonly ObligationId[],
  task: WorkerTask,
  workers: number,
): Promise<ReadonlyMap<ObligationId, Row['kill']>> => {
  const kills = new Map<ObligationId, Row['kill']>()
  const waiting = [...ids]
  // A file of this package, which is JavaScript once it is built.
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const file = new URL(`./selftest/selftest-worker${extension}`, import.meta.url)
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file, { workerData: task })
      const next = (): void => {
        const id = waiting.shift()
        if (id === undefined) void worker.terminate()
        else worker.postMessage(id)
      }
      worker.on('message', ({ id, kill }: Row) => {
        kills.set(id, kill)
        if (kills.size % 50 === 0) say(`${kills.size} of ${ids.length} mutants tested`)
        next()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: workers }, work))
  return kills
}
