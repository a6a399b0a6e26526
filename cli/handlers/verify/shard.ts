import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  planSlices,
  readEvidence,
  ShardError,
  type ShardOptions,
  verifyShard,
} from '../../../conformance/index.ts'
import type { Contract } from '../../../spec/index.ts'
import { makeFolder } from '../../outputs/output.ts'
import { writeWhole } from '../../outputs/whole-file.ts'
import { exitCodes, UsageError } from '../../process/exit.ts'
import { say } from '../../process/terminal.ts'

export type Shard = { readonly index: number; readonly of: number }

type ShardRun = Omit<ShardOptions, 'slices' | 'contract' | 'seed'> & { readonly contract: Contract }

/**
 * Prepares one shard of a plan: `send` writes its result into a file for `merge`, and returns the exit code. Throws UsageError
 * without a seed, and if the folder cannot be written.
 */
export const openShard = (
  { index, of }: Shard,
  { seed, out }: { readonly seed: number | undefined; readonly out: string },
) => {
  if (seed === undefined)
    throw new UsageError('--shard needs --seed or --nonce: all shards must send parts of one plan')
  const file = join(out, `shard-${index}-of-${of}.json`)
  try {
    makeFolder(out)
    writeFileSync(file, '')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another folder with --out`,
    )
  }
  return {
    send: async (run: ShardRun): Promise<number> => {
      const slices = planSlices(run.contract, run)
        .filter((_, position) => position % of === index - 1)
        .map(({ name }) => name)
      const result = await verifyShard({ ...run, seed, slices })
      writeWhole(file, [result])
      const { stopped, reason, requests } = readEvidence(result, run.contract).results
      say(
        `shard ${index} of ${of}: ${slices.join(', ') || 'no slice is left for it'}: ${requests} requests → ${file}`,
      )
      if (stopped !== 'done') say(`the shard is incomplete: ${reason ?? stopped}`)
      say(`next, when all shards are done: plantstore merge ${out}`)
      return stopped === 'done' ? exitCodes.conformant : exitCodes.inconclusive
    },
  }
}

export const isShardFile = (name: string): boolean => /^shard-\d+-of-\d+\.json$/.test(name)

/** Reads the result of a shard. Throws UsageError and ShardError, with the name of the file. */
export const readShard = (file: string, contract: Contract): ReturnType<typeof readEvidence> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return readEvidence(text, contract)
  } catch (error) {
    if (error instanceof ShardError) throw new ShardError(`${file}: ${error.message}`)
    throw error
  }
}
