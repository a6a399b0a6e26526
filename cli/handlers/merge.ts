import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mergeShards } from '../../conformance/index.ts'
import { foldLedger, type RunEvent } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import { minTestedOf } from '../options/output-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { openOutput } from '../outputs/output.ts'
import { type PrintFlags, printRun } from '../outputs/print-run.ts'
import { UsageError } from '../process/exit.ts'
import { isShardFile, readShard } from './verify/shard.ts'

export type MergeFlags = SpecFlags & PrintFlags & { readonly out: string }

export const runMerge = async (paths: readonly string[], flags: MergeFlags): Promise<number> => {
  const files = [...new Set(paths.flatMap(filesAt))].sort()
  const contract = await contractOf(flags)
  const { events } = mergeShards(
    contract,
    files.map(file => readShard(file, contract)),
  )
  const output = openOutput(flags.out, flags.report)
  // What the merged run has to have tested is for the one to say who merges.
  const withShare = (event: RunEvent): RunEvent =>
    event.type !== 'start' || minTestedOf(flags) === 1
      ? event
      : { ...event, policies: { ...event.policies, 'min-tested': String(minTestedOf(flags)) } }
  const merged = events.map(withShare)
  const ledger = foldLedger(merged)
  try {
    for (const event of merged) output.event(event)
    return printRun(ledger, output, flags, output.finish(ledger))
  } finally {
    output.close()
  }
}

/** A file, or all shard results below a folder. Throws UsageError if there are none. */
const filesAt = (path: string): readonly string[] => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`${path} does not exist: give the files of verify --shard`)
  if (!found.isDirectory()) return [path]
  const files = globSync('**/shard-*.json', { cwd: path }).filter(file => isShardFile(basename(file)))
  if (files.length === 0)
    throw new UsageError(`${path} contains no shard-…-of-….json: give the files of verify --shard`)
  return files.map(file => join(path, file))
}
