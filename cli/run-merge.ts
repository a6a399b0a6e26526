import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { joinParts } from '../conformance/index.ts'
import { type FormatName, terminal } from '../reports/index.ts'
import { contractOf } from './contract.ts'
import { exitCodeOf, exitCodes, UsageError } from './exit.ts'
import { openOutput } from './output.ts'
import { isShardFile, readShard } from './run-shard.ts'
import type { SpecFlags } from './spec-flags.ts'
import { colourOf, print, say } from './terminal.ts'

export type MergeFlags = SpecFlags & {
  readonly report: readonly FormatName[]
  readonly out: string
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export const runMerge = async (places: readonly string[], flags: MergeFlags): Promise<number> => {
  const files = [...new Set(places.flatMap(filesAt))].sort()
  const contract = await contractOf(flags)
  const { ledger, events } = joinParts(
    contract,
    files.map(file => readShard(file, contract)),
  )
  const output = openOutput(flags.out, flags.report)
  for (const event of events) output.event(event)
  const problems = output.finish(ledger)
  print(
    terminal(ledger, {
      colour: colourOf(process.stdout),
      verbosity: flags.quiet === true ? 'quiet' : flags.verbose === true ? 'verbose' : 'normal',
      ledger: output.path('ndjson'),
      report:
        (flags.report.includes('html') ? output.path('html') : flags.report.map(output.path)[0]) ?? null,
    }),
  )
  for (const problem of problems) say(problem)
  return problems.length > 0 ? exitCodes.usage : exitCodeOf(ledger)
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
