import type { Command } from 'commander'
import type { Setting } from './setting.ts'

/** Where a value comes from: `--cases`, `PLANTSTORE_SEED`, `plantstore.config.yaml:4`. */
export type Origin = {
  readonly kind: 'flag' | 'environment' | 'file' | 'default'
  readonly at: string | null
}

export type Settled = {
  readonly file: string | null
  readonly settings: readonly {
    readonly setting: Setting
    readonly value: unknown
    readonly origin: Origin
  }[]
}

const known = new WeakMap<Command, Settled>()

/** Keeps what was settled of a command, for who tells of it later. */
export const keepSettled = (command: Command, settled: Settled): Settled => {
  known.set(command, settled)
  return settled
}

export const settledOf = (command: Command): Settled => known.get(command) ?? { file: null, settings: [] }
