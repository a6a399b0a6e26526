import {
  expiredNote,
  gapSummary,
  gapsOf,
  type NoteEvent,
  shortText,
  stateObligationsOf,
  writeJson,
} from '../../spec/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Scope } from '../options/scope.ts'
import { type KnownValue, noBody, type Pool } from '../pool/pool.ts'
import { sentAs } from '../send/token-of-run.ts'
import { waitingOf } from '../send/waiting.ts'
import { type RunSession, testedOperations } from '../session/session.ts'

/** What a reader should know before the cases: what weakens the result of the run, and what differs from an earlier one. */
export const openingNotes = ({ options, scope, range, pool }: RunSession): readonly NoteEvent[] => {
  const { insecure, target, proxy } = options
  return [
    ...(insecure && target.protocol === 'https:'
      ? [warning('--insecure: the certificate was not verified, so this may be another server')]
      : []),
    ...(proxy === null
      ? []
      : [warning(`all requests went through the proxy ${proxy.origin}, which may cause some findings`)]),
    ...(options.auth === null || !options.isTokenKnown ? [] : [info(sentAs(options.contract, options.auth))]),
    ...gapNotes(options, scope),
    ...statelessNote(options),
    ...otherUserNote(options, scope),
    ...listenNote(options, scope),
    ...learnedNotes(options, pool),
    ...scope.waivers.expired.map(expiredNote).map(warning),
    ...(range === 0
      ? []
      : [info('an earlier run with this seed has used its ids: this run uses another range of ids')]),
  ]
}

/** What no test can tell, because the document does not declare it. */
const gapNotes = (
  { undeclaredFailures }: RunOptions,
  { contract, obligations }: Scope,
): readonly NoteEvent[] => {
  const tested = new Set(obligations.map(({ operation }) => operation))
  const gaps = gapsOf(contract).filter(
    ({ operation, kind }) => tested.has(operation) && (kind === 'success' || undeclaredFailures === 'gap'),
  )
  return gaps.length === 0
    ? []
    : [
        info(
          `the document declares ${gapSummary(gaps)}: any status of the right class is accepted there (plantstore lint lists these gaps)`,
        ),
      ]
}

/** Which values requests have without which the server rejects them, and where these are from. */
const learnedNotes = ({ contract }: RunOptions, pool: Pool): readonly NoteEvent[] =>
  contract.operations.flatMap(({ id }) => {
    const named = [...pool.givenTo(id)].filter(([, { isName }]) => isName)
    const note = (beginning: string, values: typeof named): readonly NoteEvent[] =>
      values.length === 0 ? [] : [info(`${id} ${beginning}: ${values.map(givenText).join('; ')}`)]
    return [
      ...note(
        'accepts what exists, so its requests have values from the server',
        named.filter(([, { isTried }]) => isTried !== true),
      ),
      ...note(
        'rejects some requests that the document allows, so its requests are like one that it accepts',
        named.filter(([, { isTried }]) => isTried === true),
      ),
    ]
  })

const givenText = ([place, { value, source }]: readonly [string, KnownValue]): string =>
  place === noBody
    ? `no body (${source})`
    : `${place.split(' ').at(-1)} is ${shortText(writeJson(value))} (${source})`

/** What a run leaves out of a server that keeps nothing, by name. */
const statelessNote = ({ stateless, contract }: RunOptions): readonly NoteEvent[] => {
  const left = stateless ? stateObligationsOf(contract) : []
  return left.length === 0
    ? []
    : [
        info(
          `the server stores nothing that it is sent, so stored data is not tested: ${left.map(({ id }) => id).join(', ')}`,
        ),
      ]
}

/** That a second user is of no use. */
const otherUserNote = (
  { otherToken, stateless }: RunOptions,
  { obligations }: Scope,
): readonly NoteEvent[] => {
  if (otherToken === null || obligations.some(({ family }) => family === 'ownership')) return []
  const reason = stateless
    ? 'the server stores nothing that it is sent'
    : 'no operation of the document reads, with the token, what another operation creates with it'
  return [warning(`the token of another user tests nothing: ${reason}`)]
}

/** That nobody sends what is listened for. */
const listenNote = ({ listen }: RunOptions, { obligations }: Scope): readonly NoteEvent[] =>
  listen === null || obligations.some(({ family }) => family === 'callback')
    ? []
    : [
        warning(
          'listening tests nothing: no operation of the document has callbacks, or takes a URL for webhooks',
        ),
      ]

/** How many operations the time was too short for, as reports say it at their top; null if all got a request. */
export const unaskedText = (session: RunSession): string | null => {
  const { isAsked } = waitingOf(session.transport)
  const all = testedOperations(session)
  const unasked = all.filter(({ model }) => !isAsked(model.operation.id)).length
  return unasked === 0
    ? null
    : `${unasked} of ${all.length} operations got no request (raise --max-time, or select operations with --only)`
}

/** A limit of more requests per second holds nobody back. */
const mostTold = 5000

const stallNotes = ({ count, pauses }: RunSession['transport']['stalls']): readonly NoteEvent[] => {
  const times = count() + pauses()
  if (times === 0) return []
  const fewer =
    count() === 0
      ? ''
      : 'fewer were sent at once after that (--concurrency 1 sends one at a time from the start), and '
  return [
    warning(
      `the server let all requests in flight wait for seconds, ${times} ${times === 1 ? 'time' : 'times'}: ${fewer}those without a response were sent again`,
    ),
  ]
}

/** How often the token was renewed and the server asked for patience during the run, and how slow it became. */
export const closingNotes = ({ options, operations, transport, pool }: RunSession): readonly NoteEvent[] => {
  const senders = [...operations.values()].map(({ sender }) => sender)
  const waits = senders.reduce((sum, sender) => sum + sender.waits(), 0)
  const throttled = senders.reduce((sum, sender) => sum + sender.throttled(), 0)
  const rate = transport.pace.rate()
  const certificates = transport.certificates().length
  const renewals = options.token.renewals()
  return [
    ...[...pool.heldBack()].map(([id, reason]) => info(`${id} ${reason}`)),
    ...(renewals === 0
      ? []
      : [info(`the token was renewed ${renewals} ${renewals === 1 ? 'time' : 'times'}`)]),
    ...(certificates < 2
      ? []
      : [
          info(
            `the server showed ${certificates} certificates during the run: one was replaced, or several servers answered`,
          ),
        ]),
    ...(waits === 0 ? [] : [info(`honoured ${waits} Retry-After ${waits === 1 ? 'response' : 'responses'}`)]),
    ...stallNotes(transport.stalls),
    ...(throttled === 0 || rate === null || transport.pace.halvings() === 0
      ? []
      : [
          warning(
            `the server throttled: ${throttled} ${throttled === 1 ? 'request was' : 'requests were'} sent again after a 429 or 503 without Retry-After${slowed(rate)}`,
          ),
        ]),
  ]
}

const slowed = (rate: number): string =>
  rate > mostTold
    ? ' (--rate sets a limit from the start)'
    : `, and the run went down to ${Math.max(1, Math.floor(rate))} requests per second (--rate sets this from the start)`

const warning = (message: string): NoteEvent => ({ type: 'note', level: 'warning', message })

const info = (message: string): NoteEvent => ({ type: 'note', level: 'info', message })
