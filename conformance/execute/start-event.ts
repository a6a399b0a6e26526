import {
  type Contract,
  contractPart,
  documentNotes,
  type IdentityRange,
  isOfBody,
  type ResponseTimeLimit,
  type StartEvent,
  stateObligationsOf,
} from '../../spec/index.ts'
import { combinedIdentities } from '../cases/conditions/factors.ts'
import { verifyDefaults } from '../defaults.ts'
import type { ListenOptions, RunOptions } from '../options/run-options.ts'
import type { CurrentToken } from '../options/token-source.ts'
import type { Plan } from '../plan/plan.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** The first event of a run: what it tests, on which server, and by which rules. */
export const startEvent = ({ options, scope, operations }: RunSession, plan: Plan): StartEvent => {
  const {
    product,
    at,
    target,
    seed,
    contract,
    only,
    skip,
    never,
    include,
    waivers,
    cases,
    maxSeconds,
    concurrency,
  } = options
  const { testedProduct, runBy, nonce } = options
  const { title, version, openapi, digest, source } = contract
  const { overlays } = contract
  const notTested = documentNotes(contract, options.callbacks)
  return {
    type: 'start',
    product,
    at,
    target: target.href,
    seed,
    ...(testedProduct === null ? {} : { testedProduct }),
    ...(runBy === null ? {} : { runBy }),
    ...(nonce === null ? {} : { nonce }),
    contract: {
      ...{ title, version, openapi, digest, source },
      ...(overlays.length === 0 ? {} : { overlays }),
      ...(notTested.length === 0 ? {} : { notTested }),
    },
    policies: policiesOf(options),
    budget: { cases, needed: options.needed, seconds: maxSeconds, concurrency },
    selection: {
      only,
      skip,
      ...(never.length === 0 ? {} : { never }),
      ...(include.length === 0 ? {} : { include }),
    },
    waivers,
    planned: cases === null ? null : plan.most,
    identities: [...operations.values()].flatMap(rangeOf),
    ...contractPart(contract, scope.obligations),
  }
}

const policiesOf = (options: RunOptions): StartEvent['policies'] => {
  const { maxResponseTime, stateless, fixtures, createdNames, keep } = options
  const ownSecrets = namesWithSecret(options)
  const fixtureNames = Object.keys(fixtures)
  const creators = Object.entries(createdNames).map(([id, pointer]) => `${id}: ${pointer}`)
  const isStateless = stateless && stateObligationsOf(options.contract).length > 0
  const {
    unauthenticated,
    undeclaredFailures,
    strict,
    malformedHttp,
    headers,
    baseline,
    pins,
    isTokenKnown,
    token,
  } = options
  const entries: readonly (readonly [string, string | null])[] = [
    ['unauthenticated', unauthenticated],
    ['undeclared-failures', undeclaredFailures === 'gap' ? null : undeclaredFailures],
    ['strict', String(strict)],
    ['malformed-http', malformedHttp ? 'is sent' : null],
    ['stateless', isStateless ? 'the server keeps nothing, so that is not tested' : null],
    ['names of what is created', creators.length === 0 ? null : creators.join(', ')],
    ['fixtures', fixtureNames.length === 0 ? null : fixtureNames.join(', ')],
    [
      'arazzo',
      options.flows.length === 0
        ? null
        : [...new Set(options.flows.map(({ place }) => place.file))].join(', '),
    ],
    ['listen', options.listen === null ? null : listenText(options.listen)],
    ['public-url', options.listen?.publicUrl ?? null],
    ['callback-wait', waitText(options.listen)],
    ['keep', keep ? 'what the run created stays' : null],
    ['extra headers', headers.length === 0 ? null : headers.map(([name]) => name).join(', ')],
    ['baseline', baseline.length === 0 ? null : `ignores ${counted(baseline.length, 'known failure')}`],
    ['pins', pins.length === 0 ? null : `hold ${counted(pins.length, 'open question')}`],
    ['max-response-time', maxResponseTime.length === 0 ? null : maxResponseTime.map(limitText).join(', ')],
    ['ci run', options.ciRun],
    ['min-tested', options.minTested === 1 ? null : String(options.minTested)],
    ['token', isAsked(options.contract) || isTokenKnown ? tokenText(isTokenKnown, token) : null],
    ['other user', options.otherToken === null ? null : otherText(options.otherToken)],
    ['auth', options.auth],
    ['secrets', ownSecrets.length === 0 ? null : `given for ${ownSecrets.join(', ')}`],
    ['extremes of strings', 'SHOULD be accepted'],
    ['echo of what was sent', 'SHOULD be given'],
  ]
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

const waitText = (listen: ListenOptions | null): string | null =>
  listen === null || listen.waitMs === verifyDefaults.listen.waitMs ? null : `${listen.waitMs}ms`

const listenText = ({ host, port }: ListenOptions): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** The names of the schemes that have secrets of their own. */
const namesWithSecret = ({ contract }: RunOptions): readonly string[] => [
  ...new Set(
    contract.operations.flatMap(({ security }) =>
      security.flat().flatMap(({ name, secret }) => (secret === undefined ? [] : [name])),
    ),
  ),
]

const limitText = ({ operation, measure, ms }: ResponseTimeLimit): string =>
  `${operation === undefined ? '' : `${operation}:`}${measure}=${ms}ms`

/** Whether a document asks for credentials anywhere that have no secret of their own. */
const isAsked = ({ operations }: Contract): boolean =>
  operations.some(
    ({ security: [first = []], undeclared }) =>
      first.some(({ secret }) => secret === undefined) || undeclared !== undefined,
  )

const tokenText = (isKnown: boolean, { isRenewable, isLeftOut }: CurrentToken): string => {
  if (isLeftOut())
    return 'left out: none was given, and the server rejects a made-up one but accepts requests without credentials'
  if (!isKnown) return 'made up, because none was given'
  return isRenewable ? 'given, and renewed when it expires' : 'given'
}

/** What the run does with another user. */
const otherText = ({ isRenewable }: CurrentToken): string =>
  `its token is given${isRenewable ? ', and renewed when it expires' : ''}: what the run creates is tried with it`

/** The identities that a run gives out for what an operation creates, those made of them, and the boundary values beside them. */
const rangeOf = ({ model, obligations, context }: OperationSession): readonly IdentityRange[] => {
  const { identities } = context
  if (identities === null) return []
  const place = `/${identities.name}`
  const also = obligations.flatMap(({ subject }) =>
    subject.kind === 'value' &&
    isOfBody(subject.location) &&
    subject.location.place === place &&
    !/-form$/.test(subject.name)
      ? subject.texts
      : [],
  )
  const { from, to } = identities
  const [first, last] = [from, to].map(text => combinedIdentities(model, text))
  const ranges = first?.map((text, index) => `${text}…${last?.[index]}`) ?? []
  return [{ operation: model.operation.id, place, from, to, also: [...also, ...ranges] }]
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
