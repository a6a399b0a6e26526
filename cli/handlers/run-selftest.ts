import { Worker } from 'node:worker_threads'
import { obligationsOf, select, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { print, say } from '../outputs/terminal.ts'
import { exitCodes } from '../process/exit.ts'
import { isWhole, killMarkdown, killText, type Row } from './selftest/kill-matrix.ts'
import type { Task } from './selftest/selftest-worker.ts'

export type SelftestFlags = SpecFlags & {
  readonly only?: readonly string[]
  readonly unauthenticated: UnauthenticatedPolicy
  readonly seed: number
  readonly cases: number
  readonly workers: number
  readonly format: 'text' | 'markdown' | 'json'
}

export const runSelftest = async (flags: SelftestFlags): Promise<number> => {
  const { only = [], seed, cases, unauthenticated, format, spec, networkRefs } = flags
  const obligations = obligationsOf(await contractOf(flags), unauthenticated)
  const ids = obligations.map(({ id }) => id).filter(select(obligations, { only, skip: [] }))
  const task = {
    spec: {
      ...(spec === undefined ? {} : { spec }),
      ...(networkRefs === undefined ? {} : { networkRefs }),
    },
    seed,
    cases,
    unauthenticated,
  }
  const found = await breakAll(ids, task, Math.min(flags.workers, ids.length))
  const rows = ids
    .map(id => ({ id, kill: found.get(id) }))
    .filter((row): row is Row => row.kill !== undefined)
  print(
    format === 'json'
      ? JSON.stringify(rows, null, 2)
      : format === 'markdown'
        ? killMarkdown(rows)
        : killText(rows),
  )
  return isWhole(rows) ? exitCodes.conforms : exitCodes.broken
}

/** Has workers break the obligations; whoever is free takes the next. */
const breakAll = async (
  ids: readonly string[],
  task: Task,
  workers: number,
): Promise<ReadonlyMap<string, Row['kill']>> => {
  const kills = new Map<string, Row['kill']>()
  const waiting = [...ids]
  // The file beside this one, which is JavaScript once it is built.
  const file = new URL(
    `./selftest-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
    import.meta.url,
  )
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
        if (kills.size % 50 === 0) say(`${kills.size} of ${ids.length} broken in turn`)
        next()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: workers }, work))
  return kills
}
