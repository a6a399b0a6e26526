import {
  type CustomValues,
  createMock,
  type LearnedBehavior,
  type Mock,
  type MockOptions,
} from '../../mock/index.ts'
import { asNode, safeText, type UnauthenticatedPolicy, valueAt, webhooksOf } from '../../spec/index.ts'
import { loadModule } from '../config/module-file.ts'
import { contractOf, sayProblems } from '../inputs/contract.ts'
import { publishCertificate, tlsOf } from '../inputs/pem.ts'
import { learnedFrom, scenariosOf, setsOf } from '../inputs/scenarios.ts'
import { readSeedData, withSeedPlace } from '../inputs/seed-data.ts'
import { type RuleValues, rulesIn } from '../options/rule-flags.ts'
import type { ServerFlags } from '../options/server-flags.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { sayAs, startLog } from '../outputs/log.ts'
import { exitCodeOfSignal, onSignal, type Signal, UsageError } from '../process/exit.ts'
import { holdYoungGeneration, limitHeapGrowth } from '../process/heap-limit.ts'
import { print } from '../process/terminal.ts'

export type MockFlags = SpecFlags &
  ServerFlags & {
    readonly mount?: readonly (readonly [prefix: string, document: string])[]
    readonly basePath: string
    readonly watch?: boolean
    readonly token?: readonly string[]
    readonly issuedTokens?: boolean
    readonly unauthenticated: UnauthenticatedPolicy
    readonly break?: string
    readonly scenario?: readonly string[]
    readonly scenarioFile?: string
    readonly arazzo?: readonly string[]
    readonly scenarioSet?: string
    readonly like?: string
    readonly replay?: string
    readonly callbacks?: boolean
    readonly callbackHosts?: readonly string[]
    readonly rule?: RuleValues
    readonly stateful?: boolean
    readonly state?: string
    readonly perToken?: boolean
    readonly seedData?: string
    readonly values?: string
    readonly seed: number
    readonly cors: boolean
  }

export const runMock = async (flags: MockFlags): Promise<number> => {
  limitHeapGrowth()
  const letGrow = holdYoungGeneration([flags.spec ?? '', ...(flags.mount ?? []).map(([, name]) => name)])
  const sayLine = sayAs(flags.log)
  let warn = sayLine
  const options = { ...(await mockOptionsOf(flags)), warn: (message: string) => warn(message) }
  const mock = await createMock(options).catch(error => {
    throw withSeedPlace(error, flags.seedData)
  })
  for (const { contract } of mock.documents) sayProblems(contract, sayLine)
  printStart(mock, flags, options.like, sayLine)
  void mock
    .ready()
    .catch(() => {})
    .finally(letGrow)
  const log = await startLog(mock, flags.token ?? [], flags.log)
  warn = log.say
  const signal = await new Promise<Signal>(resolve => {
    onSignal(resolve)
  })
  await mock.close()
  await log.end()
  return exitCodeOfSignal(signal)
}

/** The flags as options of the mock, with their files read. Throws UsageError. */
export const mockOptionsOf = async (flags: MockFlags): Promise<MockOptions> => ({
  ...(await documentsOf(flags)),
  basePath: flags.basePath,
  watch: flags.watch,
  overlay: flags.overlay,
  networkRefs: flags.networkRefs,
  refFolder: flags.refFolder,
  strictDocument: flags.strictDocument,
  host: flags.host,
  port: flags.port,
  tokens: flags.token,
  issuedTokens: flags.issuedTokens,
  unauthenticated: flags.unauthenticated,
  maxBodyBytes: flags.maxBody,
  cors: flags.cors,
  tls: tlsOf(flags),
  breaks: flags.break,
  callbacks: flags.callbacks,
  callbackHosts: flags.callbackHosts,
  rules: rulesIn(flags.rule),
  stateful: flags.stateful,
  stateFile: flags.state,
  perToken: flags.perToken,
  seedData: flags.seedData === undefined ? undefined : readSeedData(flags.seedData),
  values: flags.values === undefined ? undefined : await valuesIn(flags.values),
  seed: flags.seed,
  scenarios: scenariosOf(flags.scenario),
  scenarioSets: await setsOf(flags),
  scenarioSet: flags.scenarioSet,
  replay:
    flags.replay === undefined ? undefined : (await import('../inputs/traffic.ts')).recordingIn(flags.replay),
  like: flags.like === undefined ? undefined : await learnedFrom(flags.like, flags),
})

/** The exports of a module, or what it exports by default. */
const valuesIn = async (file: string): Promise<CustomValues> => {
  const { default: all = {}, ...named } = await loadModule(file, 'the values')
  return { ...(all as CustomValues), ...named } as CustomValues
}

const documentsOf = async ({ spec, overlay, mount = [], watch = false }: MockFlags) => {
  const documents = new Map(mount)
  if (documents.size < mount.length)
    throw new UsageError('two documents have the same prefix: give each --mount its own')
  if (spec === undefined && mount.length === 0) {
    if (watch) throw new UsageError('--watch needs a document to watch: give one with --spec or --mount')
    return { contract: await contractOf({ overlay }) }
  }
  return { contract: spec, documents: Object.fromEntries(documents) }
}

const printStart = (
  mock: Mock,
  flags: MockFlags,
  like: LearnedBehavior | undefined,
  sayLine: (line: string) => void,
): void => {
  for (const { prefix, contract } of mock.documents)
    print(`mock of ${safeText(`${contract.title} ${contract.version}`)} at ${mock.url}${prefix}`)
  const { operations, sets } = mock.scenarios.state()
  const lines = [
    `console ${mock.url}/__plantstore/`,
    ...operationLines(mock),
    ...baseLines(mock),
    ...ruleLines(mock),
    ...stateLines(mock),
    tokenLine(flags),
    ...callbackLines(mock, flags),
    ...webhookLines(mock),
    ...publishCertificate(mock.certificate, flags.tlsCertOut),
    ...(flags.break === undefined ? [] : [`breaks ${flags.break}`]),
    ...Object.entries(operations).map(
      ([id, scenario]) => `scenario of ${id}: ${JSON.stringify(scenario, functionsShown)}`,
    ),
    ...(like === undefined ? [] : learnedLines(like)),
    ...(sets.length === 0 ? [] : [`scenario sets: ${sets.join(', ')}`]),
    ...(flags.watch === true ? ['reloads its documents when their files change'] : []),
  ]
  for (const line of lines) sayLine(`  ${line}`)
}

/** What the mock takes over of a server, and what it cannot. */
const learnedLines = ({
  target,
  questions,
  echoing,
  delays,
  notLearned,
}: LearnedBehavior): readonly string[] => {
  return [
    `rejects like ${safeText(target)}, by cause, and answers like it:`,
    ...[...questions.keys()].map(question => `  ${safeText(question)}`),
    ...[...echoing].map(question => `  ${safeText(question)} (echoed)`),
    ...(delays.size === 0 ? [] : ['has its response times as a scenario set (--scenario-set latency)']),
    ...notLearned.map(line => `does not learn ${safeText(line)}`),
  ]
}

const tokenLine = ({ token, issuedTokens }: MockFlags): string => {
  if (token === undefined)
    return issuedTokens === true ? 'accepts the tokens that it gives' : 'accepts any well-formed token'
  return `accepts ${token.length === 1 ? 'one token' : `${token.length} tokens`}`
}

/** A path of `servers` that counts as well. */
const baseLines = ({ documents, url }: Mock): readonly string[] =>
  documents.flatMap(({ prefix, basePath }) =>
    basePath === '' ? [] : [`serves the same below ${url}${prefix}${basePath} (--base-path)`],
  )

/** Rules are derived on demand, and not at the start of a large document. */
const mostCountedOperations = 60

const ruleLines = (mock: Mock): readonly string[] => {
  const operations = mock.documents.reduce((sum, { contract }) => sum + contract.operations.length, 0)
  if (operations > mostCountedOperations) return [`rules of its responses: ${mock.url}/__plantstore/rules`]
  const count = Object.values(mock.rules).flat().length
  return count === 0 ? [] : [`fits responses to requests by ${count} rules: ${mock.url}/__plantstore/rules`]
}

const stateLines = ({ state, contract }: Mock): readonly string[] => {
  if (state === null) return []
  const { collections } = state
  return collections.length === 0
    ? [`keeps nothing: the operations of ${safeText(contract.title)} form no resources`]
    : [`keeps ${collections.join(', ')}`]
}

const shownOperations = 12
const fewest = 3

/** The operations of each document, the first ones if there are many. */
const operationLines = ({ documents }: Mock): readonly string[] => {
  const most = Math.max(fewest, Math.floor(shownOperations / documents.length))
  return documents.flatMap(({ prefix, contract }) => {
    const lines = contract.operations.map(
      ({ method, path, summary }) => `${method.padEnd(6)} ${prefix}${path}  ${summary}`,
    )
    const more = lines.length - most
    return more <= 0 ? lines : [...lines.slice(0, most), `and ${more.toLocaleString('en-US')} more`]
  })
}

const functionsShown = (_key: string, value: unknown): unknown =>
  typeof value === 'function' ? 'a function' : value

const webhookLines = ({ documents, url }: Mock): readonly string[] => {
  const [first, ...rest] = documents.flatMap(({ contract }) => webhooksOf(contract)).map(({ id }) => id)
  if (first === undefined) return []
  const more = rest.length === 0 ? '' : ` and ${rest.length.toLocaleString('en-US')} more`
  return [`sends the webhook ${first}${more} by POST ${url}/__plantstore/webhooks/${first}`]
}

/** What clients wait for. */
const callbackLines = (
  { documents }: Mock,
  { callbacks, callbackHosts = [] }: MockFlags,
): readonly string[] => {
  const ids = documents.flatMap(({ contract }) =>
    contract.operations.filter(({ pointer }) => hasCallbacks(valueAt(contract.document, pointer))),
  )
  const [first, ...rest] = ids.map(({ id }) => id)
  if (first === undefined) return []
  const more = rest.length === 0 ? '' : ` and ${rest.length.toLocaleString('en-US')} more operations`
  const declares = rest.length === 0 ? 'declares' : 'declare'
  if (callbacks === true || callbackHosts.length > 0) {
    const others = callbackHosts.length === 0 ? '' : ` and ${callbackHosts.join(', ')}`
    return [`sends the callbacks of ${first}${more}, to this machine, private networks${others}`]
  }
  return [`sends no callbacks: ${first}${more} ${declares} some (--callbacks sends them)`]
}

const hasCallbacks = (operation: unknown): boolean =>
  Object.keys(asNode(asNode(operation).callbacks)).length > 0
