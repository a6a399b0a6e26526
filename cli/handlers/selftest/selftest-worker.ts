import { parentPort, workerData } from 'node:worker_threads'
import { obligationsOf } from '../../../spec/index.ts'
import { contractOf } from '../../inputs/contract.ts'
import type { SpecFlags } from '../../options/spec-flags.ts'
import { type BrokenRunOptions, createBrokenRuns } from './broken-run.ts'

/** What a worker is told when it starts; then the ids of obligations to break, one at a time. */
export type Task = BrokenRunOptions & { readonly spec: SpecFlags }

const { spec, ...options } = workerData as Task
const contract = await contractOf(spec)
const breakOne = createBrokenRuns(contract, options)
const obligations = new Map(
  obligationsOf(contract, options.unauthenticated).map(obligation => [obligation.id, obligation]),
)

parentPort?.on('message', async (id: string) => {
  const obligation = obligations.get(id)
  if (obligation === undefined) throw new Error(`no obligation ${id}`)
  parentPort?.postMessage({ id, kill: await breakOne(obligation) })
})
