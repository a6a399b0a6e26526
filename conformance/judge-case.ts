import {
  clauseOf,
  describeAnswer,
  type Flaw,
  type Given,
  isHeld,
  isObject,
  isRefusal,
  isSuccess,
  type Json,
  judgeChallenge,
  mayChallenge,
  type Operation,
  type Outcome,
  readJson,
  refusalWords,
  successWords,
  type Unauthenticated,
} from '../spec/index.ts'
import type { Case } from './case.ts'
import { decodeBody } from './encode.ts'
import { judgeWire } from './judge-wire.ts'
import { numberOfLabel } from './label.ts'
import type { Model } from './model.ts'
import { failureWords, observation } from './saying.ts'

/** What an exchange shows. `own`: the case's obligation is broken; `others`: what its answer breaks besides. */
export type Shown = { readonly own: Flaw | null; readonly others: readonly Flaw[] }

/** Holds an outcome to what the contract says of the case, and to the answers that are pinned. */
export const judgeCase = (model: Model, asked: Case, outcome: Outcome, policy: Unauthenticated): Shown => {
  const shown = judgeByContract(model, asked, outcome, policy)
  const { pin, id } = asked.obligation
  if (pin === undefined) return shown
  const got = observation(asked, outcome)
  if (isHeld(pin, got)) return shown
  const flaw = { id: pin.obligation, wanted: `as pinned: ${pin.answers.join(' or ')}`, got }
  return shown.own === null && pin.obligation === id
    ? { ...shown, own: flaw }
    : { ...shown, others: [...shown.others, flaw] }
}

const judgeByContract = (model: Model, asked: Case, outcome: Outcome, policy: Unauthenticated): Shown => {
  if (asked.request.raw !== undefined) return { own: judgeWire(model, asked, outcome), others: [] }
  const { operation } = model
  const wanted =
    asked.expected === 'refused'
      ? refusalWords(operation, asked.cause ?? 'body', policyFor(asked, policy))
      : asked.expected === 'accepted'
        ? successWords(operation)
        : 'an answer'
  // Under load any valid request may fail; which of them it was says nothing.
  const { subject, id: obligation } = asked.obligation
  const id =
    subject.kind === 'load' && subject.name !== 'recovery' ? `${operation.id}/load/consistency` : obligation
  const own = (got: string): Flaw => ({ id, wanted, got })
  if (outcome.kind === 'failure') return failureShown(model, own, outcome, asked, policy)
  const { answer } = outcome
  if (!isOfOperation(model, asked)) return { own: null, others: [] }
  const echoed =
    asked.expected === 'accepted' || asked.expected === 'either' ? sentBody(model, asked) : undefined
  // A 401 that the policy alone allows has no clause in the document; HTTP's rules hold for any.
  const flaws = [
    ...(isAllowed(model, asked, answer.status, policy) ? [] : model.judgeAnswer(answer, echoed)),
    ...(answer.status === 401 && mayChallenge(operation, policy)
      ? judgeChallenge(operation, answer, givenIn(asked))
      : []),
  ]
  const others = [...flaws.filter(({ id }) => !id.includes('/echo/')), ...mixedUp(model, asked, answer.body)]
  const echoes = flaws.filter(
    ({ id }) => id.includes('/echo/') && !others.some(other => other.id.endsWith('/load/pairing')),
  )
  if (isExpected(model, asked, answer.status, policy)) return { own: null, others: [...others, ...echoes] }
  // Of an answer that should not have come, the rest says nothing more.
  return {
    own: own(describeAnswer(answer)),
    others: others.filter(({ id }) => id.endsWith('/response/declared')),
  }
}

/** What the body of a case says. In a form some values cannot be told: a list without items is not there. */
const sentBody = ({ body }: Model, { draft, request }: Case): Json | undefined =>
  draft.encoding.kind === 'text' || draft.body === undefined
    ? undefined
    : body?.in === 'form'
      ? decodeBody(request.body ?? new Uint8Array(), body)
      : draft.body

/** Other methods and paths are not the operation's: nothing is declared for them. */
const isOfOperation = ({ operation }: Model, { draft }: Case): boolean =>
  draft.method === operation.method && draft.path === operation.path

/** Whether only the policy, and no clause, has this status for the case's credentials. */
const isAllowed = ({ operation }: Model, { cause }: Case, status: number, policy: Unauthenticated): boolean =>
  cause === 'credentials' && status === 401 && policy !== 'declared' && isUndeclared(operation, status)

/** What a case gave for credentials. */
export const givenIn = ({ draft: { credentials } }: Case): Given => {
  if (credentials === null) return 'other'
  const { kind, pick } = credentials
  const values = kind.variants[pick % kind.variants.length] ?? []
  return values.length === 0 && kind.query === null
    ? 'none'
    : kind.needsToken && !kind.malformed
      ? 'token'
      : 'other'
}

/** Where credentials are malformed, or the body is wrong as well, the declared failure is right beside a 401. */
const policyFor = ({ draft: { credentials } }: Case, policy: Unauthenticated): Unauthenticated =>
  policy === '401' && (credentials?.kind.malformed === true || credentials?.kind.invalidBody === true)
    ? 'either'
    : policy

const isExpected = ({ operation }: Model, asked: Case, status: number, policy: Unauthenticated): boolean => {
  const { expected, cause } = asked
  switch (expected) {
    case 'either':
      return true
    case 'refused':
      // Refused by a status that is not declared: `response/declared` tells that, once for all.
      return (
        isRefusal(operation, cause ?? 'body', status, policyFor(asked, policy)) ||
        (asked.draft.credentials?.kind.invalidBody === true &&
          isRefusal(operation, 'body', status, policy)) ||
        (isUndeclared(operation, status) && status >= 400 && status < 500)
      )
    case 'accepted':
      // What a path names need not be there.
      return (
        isSuccess(operation, status) ||
        (isUndeclared(operation, status) && status >= 200 && status < 400) ||
        (status === 404 &&
          operation.path.includes('{') &&
          operation.responses.some(response => response.status === '404'))
      )
  }
}

const isUndeclared = (operation: Operation, status: number): boolean => clauseOf(operation, status) === null

const wholeAnswer = {
  refused: 'an answer',
  unreachable: 'an answer',
  reset: 'a body as long as announced',
  timeout: 'the end of the body in time',
  malformed: 'a body as long as announced, in HTTP',
  'too-large': 'an answer within the limits',
}

const failureShown = (
  model: Model,
  own: (got: string) => Flaw,
  outcome: Extract<Outcome, { kind: 'failure' }>,
  asked: Case,
  policy: Unauthenticated,
): Shown => {
  const { failure, status, detail } = outcome
  const got = `${failureWords[failure]}${status === null ? '' : ` (after the status ${status})`}: ${detail}`
  const clause = isAllowed(model, asked, status ?? 0, policy)
    ? '401'
    : status === null
      ? undefined
      : clauseOf(model.operation, status)?.status
  // The head of the answer was right and its body broke off: that is a flaw of the answer alone.
  if (clause !== undefined && isExpected(model, asked, status ?? 0, policy))
    return {
      own: null,
      others: [
        {
          id: `${model.operation.id}/response/${clause}/length`,
          wanted: wholeAnswer[failure],
          got,
        },
      ],
    }
  const flaw = own(got)
  return asked.expected === 'either'
    ? {
        own: null,
        others: isOfOperation(model, asked)
          ? [{ ...flaw, id: `${model.operation.id}/response/declared`, wanted: 'a declared answer' }]
          : [],
      }
    : { own: flaw, others: [] }
}

const mixedUp = ({ operation }: Model, asked: Case, body: Uint8Array): readonly Flaw[] => {
  if (asked.expected !== 'accepted' || !isObject(asked.draft.body)) return []
  const reading = readJson(body)
  if (!reading.ok || !isObject(reading.value)) return []
  const { value } = reading
  const sent = asked.draft.body
  const foreign = Object.keys(value).filter(name => {
    const got = value[name] as Json
    const owner = typeof got === 'string' ? numberOfLabel(got) : null
    return owner !== null && owner !== asked.number && !Object.values(sent).includes(got)
  })
  const [name] = foreign
  if (name === undefined) return []
  return [
    {
      id: `${operation.id}/load/pairing`,
      wanted: `\`${name}\` of this request: ${JSON.stringify(sent[name]) ?? 'none was sent'}`,
      got: `${JSON.stringify(value[name])}, which another request sent`,
    },
  ]
}
