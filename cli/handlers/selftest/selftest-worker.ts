import { parentPort, workerData } from 'node:worker_threads'
import type { ObligationId, RefOptions } from '../../../spec/index.ts'
import { loadQuietly } from '../../inputs/contract.ts'
import { breakableObligations, createMutantRuns, type MutantRunOptions } from './mutant-run.ts'

/** What a worker gets when it starts. Then it gets the ids of obligations to break, one at a time. */
export type WorkerTask = MutantRunOptions & RefOptions & { readonly spec: string | undefined }

const { spec, overlay, networkRefs, refFolder, strictDocument, ...options } = workerData as WorkerTask
const contract = await loadQuietly({ spec, overlay, networkRefs, refFolder, strictDocument })
const runMutant = createMutantRuns(contract, options)
const obligations = new Map(
  breakableObligations(contract, options.unauthenticated).map(obligation => [obligation.id, obligation]),
)

parentPort?.on('message', async (id: ObligationId) => {
  const obligation = obligations.get(id)
  if (obligation === undefined) throw new Error(`no obligation ${id}`)
  parentPort?.postMessage({ id, kill: await runMutant(obligation) })
})
