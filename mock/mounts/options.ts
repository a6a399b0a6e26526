import type { RefOptions, Tokens, UnauthenticatedPolicy } from '../../spec/index.ts'
import { mockDefaults } from '../defaults.ts'
import type { DocumentOptions, ServingOptions } from '../documents/documents.ts'
import type { LearnedBehavior } from '../learned/learn.ts'
import type { Forwarding, ForwardOptions } from '../proxy/options.ts'
import type { Recording } from '../recorded/recorded-answers.ts'
import type { RuleSettings } from '../rules/list-rule.ts'
import type { ScenarioSets, ScenariosByOperation } from '../scenarios/registry.ts'
import { defaultLimits, type Limits } from '../server/limits.ts'
import type { Certificate } from '../server/self-signed.ts'
import type { SeedData } from '../state/snapshot.ts'
import type { CustomValues } from '../values/value-providers.ts'

/** What every mount of the mock takes. */
export type HandlerOptions = DocumentOptions &
  RefOptions & {
    /**
     * A path before those of the document that is served as well: a path (`/v1`), `auto` for the one that all `servers` of the
     * document have, or `none`. Default `auto`.
     */
    readonly basePath?: string | undefined
    /** Whether documents are read again when one of their files changes. Default false. */
    readonly watch?: boolean | undefined
    /** The only right tokens. Default: every well-formed one is right. */
    readonly tokens?: readonly string[] | undefined
    /** Whether no other tokens are right than `tokens` and those that responses of the mock gave. Default false. */
    readonly issuedTokens?: boolean | undefined
    /** The response to missing or wrong credentials. Default `declared`: the declared failure. */
    readonly unauthenticated?: UnauthenticatedPolicy | undefined
    /** Whether callbacks are sent after the answer, to this machine and private networks. Default false. */
    readonly callbacks?: boolean | undefined
    /** Other hosts to which callbacks may go. Default: none. */
    readonly callbackHosts?: readonly string[] | undefined
    /** Whether pages of other origins may use the mock (CORS). Default true. */
    readonly cors?: boolean | undefined
    /** The id of one obligation to break; the mock keeps all others. Default: none. */
    readonly breaks?: string | undefined
    /** What operations do instead of their usual behaviour, from the start. Default: nothing. */
    readonly scenarios?: ScenariosByOperation | undefined
    /** Named sets of scenarios, to be switched on later. Default: none. */
    readonly scenarioSets?: ScenarioSets | undefined
    /** How a server was seen to answer what the contract leaves open: see `learnFrom`. Default: nothing. */
    readonly like?: LearnedBehavior | undefined
    /** Recorded traffic: requests like those in it get the answers in it. Default: none. */
    readonly replay?: Recording | undefined
    /** The name of the set that is on from the start; `scenarios` replace those of the set. Default: none. */
    readonly scenarioSet?: string | undefined
    /**
     * What parameters do to responses, by operation and parameter, where the contract does not say it by their names:
     * `{ 'listThings.n': 'size', '*.q': 'off' }` (docs/mock.md). Default: what their names say.
     */
    readonly rules?: RuleSettings | undefined
    /** Whether what requests create, change and remove is kept, where operations form resources. Default false. */
    readonly stateful?: boolean | undefined
    /** A file (SQLite) in which what is kept outlives the mock; implies `stateful`. Default: none. */
    readonly stateFile?: string | undefined
    /** Whether each token has data of its own, as each client that names itself has; implies `stateful`. Default false. */
    readonly perToken?: boolean | undefined
    /** The resources that exist at the start, by the path of their collection (docs/mock-state.md). Default: made-up ones. */
    readonly seedData?: SeedData | undefined
    /**
     * Values of your own in the place of made-up ones, which the contract judges: functions by the name of a schema (`Product`), of a
     * property (`Product.sku`) or of an operation (`listProducts`, as `answer` has them), and an instance of `@faker-js/faker`, of any
     * locale, as `faker`. Default: none.
     */
    readonly values?: CustomValues | undefined
    /** A whole number from which, with the request, delays out of a range follow. Default 0. */
    readonly seed?: number | undefined
    /** Receives what a user should know, such as an invalid example in the document. Default: it goes to standard error. */
    readonly warn?: ((message: string) => void) | undefined
    /** Largest body of a request in bytes. Default 10 MiB. */
    readonly maxBodyBytes?: number | undefined
  }

export type MockOptions = HandlerOptions & {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Times in milliseconds that differ from the documented ones (docs/mock.md). */
  readonly limits?: Partial<Limits> | undefined
  /** Serve https: with a certificate of your own (PEM), or with a self-signed one that is made for it. Default false. */
  readonly tls?: boolean | Certificate | undefined
}

/** The options of a proxy: where it forwards to, and those of the mock that it has a use for. */
export type ProxyOptions = ForwardOptions &
  Pick<
    MockOptions,
    | 'contract'
    | keyof RefOptions
    | 'basePath'
    | 'unauthenticated'
    | 'replay'
    | 'scenarios'
    | 'seed'
    | 'warn'
    | 'maxBodyBytes'
    | 'host'
    | 'port'
    | 'limits'
    | 'tls'
  >

type Complete<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> }

/** The options with all defaults filled in: none is optional. */
export type Settings = Complete<
  Omit<
    MockOptions,
    | 'contract'
    | 'documents'
    | 'seedData'
    | 'stateFile'
    | 'tokens'
    | 'issuedTokens'
    | 'breaks'
    | 'scenarioSet'
    | 'like'
    | 'replay'
    | 'limits'
    | keyof RefOptions
  >
> & {
  readonly documents: DocumentOptions
  readonly refs: ServingOptions['refs']
  /** Null: every well-formed token is right. */
  readonly tokens: Tokens
  readonly seedData: SeedData | null
  readonly stateFile: string | null
  readonly breaks: string | null
  readonly scenarioSet: string | null
  readonly like: LearnedBehavior | null
  readonly replay: Recording | null
  readonly limits: Limits
  /** Null: it responds itself. */
  readonly forward: Forwarding | null
}

/** Fills in the defaults; they stand here and in `mockDefaults`, and nowhere else. */
export const settingsOf = (options: MockOptions, forward: ForwardOptions | null = null): Settings => ({
  documents: options,
  basePath: options.basePath ?? 'auto',
  watch: options.watch ?? false,
  refs: {
    overlay: options.overlay,
    networkRefs: options.networkRefs,
    refFolder: options.refFolder,
    strictDocument: options.strictDocument,
    // What is forwarded is judged.
    mayBeCollection: forward === null,
  },
  tokens: options.tokens ?? (options.issuedTokens === true ? [] : null),
  unauthenticated: options.unauthenticated ?? 'declared',
  callbacks: options.callbacks ?? (options.callbackHosts ?? []).length > 0,
  callbackHosts: options.callbackHosts ?? [],
  cors: options.cors ?? true,
  breaks: options.breaks ?? null,
  scenarios: options.scenarios ?? {},
  scenarioSets: { ...delaySet(options.like), ...options.scenarioSets },
  like: options.like ?? null,
  replay: options.replay ?? null,
  scenarioSet: options.scenarioSet ?? null,
  rules: options.rules ?? {},
  values: options.values ?? {},
  stateful:
    options.stateful ??
    (options.seedData !== undefined || options.stateFile !== undefined || options.perToken === true),
  perToken: options.perToken ?? false,
  stateFile: options.stateFile ?? null,
  seedData: options.seedData ?? null,
  seed: options.seed ?? 0,
  warn: options.warn ?? (message => console.error(message)),
  maxBodyBytes: options.maxBodyBytes ?? mockDefaults.maxBodyBytes,
  host: options.host ?? mockDefaults.host,
  port: options.port ?? 0,
  limits: {
    ...defaultLimits,
    ...(forward === null ? {} : { requestMs: longestForwardMs }),
    ...options.limits,
  },
  tls: options.tls ?? false,
  forward:
    forward === null
      ? null
      : {
          ...forward,
          maxBodyBytes: options.maxBodyBytes ?? mockDefaults.maxBodyBytes,
          stalledMs: options.limits?.stalledMs ?? defaultLimits.stalledMs,
        },
})

/** The body of a forwarded request takes the time that client and server take. */
const longestForwardMs = 3_600_000

/** The response times that were learned, to be switched on. */
const delaySet = (like: LearnedBehavior | undefined): ScenarioSets => {
  if (like === undefined || like.delays.size === 0) return {}
  return { latency: Object.fromEntries([...like.delays].map(([id, delay]) => [id, { delay }])) }
}
