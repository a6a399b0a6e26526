import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mergeShards } from '../../conformance/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { openOutput } from '../outputs/output.ts'
import { type TellFlags, tell } from '../outputs/print-run.ts'
import { UsageError } from '../process/exit.ts'
import { isShardFile, readShard } from './run-shard.ts'

export type MergeFlags = SpecFlags & TellFlags & { readonly out: string }

export const runMerge = async (places: readonly string[], flags: MergeFlags): Promise<number> => {
  const files = [...new Set(places.flatMap(filesAt))].sort()
  const contract = await contractOf(flags)
  const { ledger, events } = mergeShards(
    contract,
    files.map(file => readShard(file, contract)),
  )
  const output = openOutput(flags.out, flags.report)
  for (const event of events) output.event(event)
  return tell(ledger, output, flags, output.finish(ledger))
}

/** A file, or all that shards have written below a folder. Throws UsageError where there is none. */
const filesAt = (place: string): readonly string[] => {
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`${place} is not there: give what verify --shard has written`)
  if (!found.isDirectory()) return [place]
  const files = globSync('**/shard-*.json', { cwd: place }).filter(file => isShardFile(basename(file)))
  if (files.length === 0)
    throw new UsageError(`there is no shard-…-of-….json below ${place}: give what verify --shard has written`)
  return files.map(file => join(place, file))
}
