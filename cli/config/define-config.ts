import type { ObligationsFlags } from '../handlers/list-obligations.ts'
import type { MergeFlags } from '../handlers/run-merge.ts'
import type { MockFlags } from '../handlers/run-mock.ts'
import type { ReplayFlags } from '../handlers/run-replay.ts'
import type { SelftestFlags } from '../handlers/run-selftest.ts'
import type { VerifyFlags } from '../handlers/run-verify.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import type { TransportFlags } from '../options/transport-flags.ts'

/** What `plantstore.config.ts` exports: settings of all verbs, and of each. Every flag of a verb is one, in camelCase. */
export type Config = Settings<SpecFlags & TransportFlags & Pick<VerifyFlags, 'unauthenticated'>> &
  Token & {
    readonly version?: 1
    readonly verify?: Section<VerifyFlags> & {
      /** Base URL of the server under test; without it the embedded mock is verified. */
      readonly url?: string
    }
    readonly mock?: Section<MockFlags>
    readonly replay?: Section<ReplayFlags>
    readonly merge?: Section<MergeFlags>
    readonly obligations?: Section<ObligationsFlags>
    readonly selftest?: Section<SelftestFlags>
  }

type Section<Flags> = Settings<Omit<Flags, OfFlags>> & ('token' extends keyof Flags ? Token : unknown)

// Given by flags alone, or not in their own form.
type OfFlags = 'token' | 'quiet' | 'verbose' | 'updateBaseline' | 'shard'

type Token = {
  /** The variable that holds the right token, such as `'${STAGING_TOKEN}'`: a token itself does not belong in a file. */
  readonly token?: `\${${string}}`
}

type Settings<Flags> = { readonly [Name in keyof Flags]?: Given<Exclude<Flags[Name], undefined>> }

/** A value as it may be written: what a flag reads from text, and lists that flags are repeated for. */
type Given<T> = [T] extends [boolean]
  ? boolean
  : // Times are numbers of seconds, or texts such as `30s`.
    [T] extends [number]
    ? number | `${number}${'ms' | 's' | 'm' | 'h'}`
    : [T] extends [URL]
      ? string
      : URL extends T
        ? string
        : T extends readonly (readonly [string, string])[]
          ? string | readonly string[]
          : [T] extends [readonly (infer Item extends string)[]]
            ? Given<Item> | readonly Item[] | (string extends Item ? never : 'all')
            : T

/**
 * Types a configuration; gives back what it is given.
 *
 * @example
 * export default defineConfig({ spec: 'openapi.yaml', verify: { url: 'https://staging.example.test', cases: 2000 } })
 */
export const defineConfig = (config: Config): Config => config
