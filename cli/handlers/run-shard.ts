import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  planSlices,
  readEvidence,
  ShardError,
  type ShardOptions,
  verifyShard,
} from '../../conformance/index.ts'
import type { Contract } from '../../spec/index.ts'
import { makeFolder } from '../outputs/output.ts'
import { say } from '../outputs/terminal.ts'
import { exitCodes, UsageError } from '../process/exit.ts'

export type Shard = { readonly index: number; readonly of: number }

type Plan = Omit<ShardOptions, 'slices' | 'contract' | 'seed' | 'target' | 'token'> & {
  readonly contract: Contract
}
type Reached = { readonly url: URL; readonly token: string | undefined }

/**
 * Makes ready to send one shard of a plan: `send` writes what it showed into a file for `merge`, and gives the exit
 * code. Throws UsageError where the seed is left to chance, or the folder cannot be written.
 */
export const openShard = (
  { index, of }: Shard,
  { seed, out }: { readonly seed?: number; readonly out: string },
) => {
  if (seed === undefined)
    throw new UsageError('--shard needs --seed: all shards have to send parts of the same plan')
  const file = join(out, shardFile(index, of))
  try {
    makeFolder(out)
    writeFileSync(file, '')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another folder with --out`,
    )
  }
  return {
    send: async (plan: Plan, { url, token }: Reached): Promise<number> => {
      const all = planSlices(plan.contract, plan)
      const slices = all.filter((_, place) => place % of === index - 1).map(({ name }) => name)
      const text = await verifyShard({
        ...plan,
        seed,
        slices,
        target: url,
        ...(token === undefined ? {} : { token }),
      })
      writeFileSync(file, text)
      const { stopped, reason, requests } = readEvidence(text, plan.contract).results
      say(
        `shard ${index} of ${of}: ${slices.join(', ') || 'no slice is left for it'}: ${requests} requests → ${file}`,
      )
      if (stopped !== 'done') say(`it could not be judged as a whole: ${reason ?? stopped}`)
      say(`all shards together are judged by plantstore merge ${out}`)
      return stopped === 'done' ? exitCodes.conforms : exitCodes.inconclusive
    },
  }
}

const shardFile = (index: number, of: number): string => `shard-${index}-of-${of}.json`

export const isShardFile = (name: string): boolean => /^shard-\d+-of-\d+\.json$/.test(name)

/** Reads the part that a shard has written. Throws PartError that names the file. */
export const readShard = (file: string, contract: Contract): ReturnType<typeof readEvidence> => {
  try {
    return readEvidence(readFileSync(file, 'utf8'), contract)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    if (error instanceof ShardError) throw new ShardError(`${file}: ${error.message}`)
    throw error
  }
}
