import type { Command } from 'commander'
import type { Setting } from './setting.ts'

/** Where a value comes from: `--cases`, `PLANTSTORE_SEED`, `plantstore.config.yaml:4`. */
export type Origin = {
  readonly kind: 'flag' | 'environment' | 'file' | 'folder' | 'default'
  readonly at: string | null
}

export type ResolvedSettings = {
  readonly file: string | null
  readonly settings: readonly {
    readonly setting: Setting
    readonly value: unknown
    readonly origin: Origin
  }[]
}

const byCommand = new WeakMap<Command, ResolvedSettings>()

/** Keeps the resolved settings of a command, for bundles and `config`. */
export const keepSettings = (command: Command, resolved: ResolvedSettings): ResolvedSettings => {
  byCommand.set(command, resolved)
  return resolved
}

export const resolvedSettingsOf = (command: Command): ResolvedSettings =>
  byCommand.get(command) ?? { file: null, settings: [] }
