import type { CompareFlags } from './handlers/compare.ts'
import type { LintFlags } from './handlers/lint.ts'
import type { MergeFlags } from './handlers/merge.ts'
import type { MockFlags } from './handlers/mock.ts'
import type { ObligationsFlags } from './handlers/obligations.ts'
import type { ProxyFlags } from './handlers/proxy.ts'
import type { ReplayFlags } from './handlers/replay.ts'
import type { SelftestFlags } from './handlers/selftest.ts'
import type { VerifyFlags } from './handlers/verify.ts'
import type { SpecFlags } from './options/spec-flags.ts'
import type { TokenFlags } from './options/token-flags.ts'
import type { TransportFlags } from './options/transport-flags.ts'

/** What `plantstore.config.ts` exports: settings for all commands, and for each. Every flag is a setting, in camelCase. */
export type Config = Settings<
  SpecFlags & TransportFlags & Omit<TokenFlags, 'token'> & Pick<VerifyFlags, 'unauthenticated'>
> &
  Token & {
    readonly version?: 1
    readonly verify?: Section<VerifyFlags> & {
      /** Base URL of the server under test. Default: the embedded mock. */
      readonly url?: string
    }
    readonly mock?: Section<MockFlags>
    /** Of `plantstore proxy`; `proxy` is the proxy that other commands connect through. */
    readonly reverseProxy?: Section<ProxyFlags> & {
      /** Base URL of the server that requests are forwarded to. */
      readonly url?: string
    }
    readonly replay?: Section<ReplayFlags>
    readonly merge?: Section<MergeFlags>
    readonly obligations?: Section<ObligationsFlags>
    readonly lint?: Section<LintFlags>
    readonly selftest?: Section<SelftestFlags>
    readonly compare?: Section<Omit<CompareFlags, 'tokenB' | 'otherTokenB'>> & {
      readonly tokenB?: Token['token']
      readonly otherTokenB?: Token['token']
    }
  }

type Section<Flags> = Settings<Omit<Flags, FlagsOnly>> &
  ('token' extends keyof Flags ? Token : unknown) &
  ('otherToken' extends keyof Flags ? OtherToken : unknown)

// Only flags can give these, or a file gives them in another form.
type FlagsOnly = 'token' | 'otherToken' | 'quiet' | 'verbose' | 'updateBaseline' | 'shard' | 'allowPartial'

type Token = {
  /** The environment variable that holds the right token, such as `'${STAGING_TOKEN}'`. A token must not be stored in a file. */
  readonly token?: `\${${string}}`
}

type OtherToken = {
  /** The environment variable that holds the token of a second user. */
  readonly otherToken?: Token['token']
}

type Settings<Flags> = { readonly [Name in keyof Flags]?: Given<Exclude<Flags[Name], undefined>> }

/** A value as a configuration may write it: what a flag parses from text, and lists for repeated flags. */
type Given<T> = [T] extends [boolean]
  ? boolean
  : // Durations are numbers of seconds, or texts such as `30s`.
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
 * Types a configuration, and returns it.
 *
 * @example
 * export default defineConfig({ spec: 'openapi.yaml', verify: { url: 'https://staging.example.test', cases: 2000 } })
 */
export const defineConfig = (config: Config): Config => config
