import { header, type Obligation, responseFor } from '../../spec/index.ts'
import { judgeRequest } from '../engine/judge.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { isOfKind } from '../mutants/accept.ts'
import type { MutantInput, MutationContext } from '../mutants/mutation.ts'
import { hasWrongCredentials, isInvalidBy } from '../mutants/reject.ts'
import type { Coverage } from './messages.ts'
import type { ServedOperation } from './served-operations.ts'

export type CoverageOptions = JudgeOptions & {
  readonly journal: Journal
  /** The operation with this id; undefined: none is served any more. */
  readonly operationOf: (id: string) => ServedOperation | undefined
}

/** Tracks which parts of the contract the requests so far have exercised. */
export type CoverageTracker = { readonly report: () => Coverage; readonly clear: () => void }

type Tally = { readonly statuses: Map<number, number>; readonly exercised: Set<string> }

/**
 * Responses and violations are counted as they happen, which costs next to nothing. All other exercised obligations are
 * computed when a report is requested, from the requests that the journal still has.
 */
export const createCoverage = (options: CoverageOptions): CoverageTracker => {
  const { operationOf, journal } = options
  const tallies = new Map<string, Tally>()
  let undeclared = 0
  let lastExamined = 0
  journal.listen(({ operation, status, violations }) => {
    if (operation === null) {
      undeclared += 1
      return
    }
    const { statuses, exercised } = tallies.get(operation) ?? addTally(tallies, operation)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const { id } of violations) exercised.add(id)
  })
  const examineNewEntries = (): void => {
    for (const entry of journal.entries()) {
      const operation = operationOf(entry.operation ?? '')
      const tally = tallies.get(entry.operation ?? '')
      if (entry.number <= lastExamined || operation === undefined || tally === undefined) continue
      const candidates = operation.obligations().filter(({ id }) => !tally.exercised.has(id))
      for (const { id } of exercisedBy(entry, candidates, operation, options)) tally.exercised.add(id)
    }
    lastExamined = journal.entries().at(-1)?.number ?? lastExamined
  }
  return {
    report: () => {
      examineNewEntries()
      return {
        undeclared,
        operations: Object.fromEntries(
          [...tallies].map(([id, { statuses, exercised }]) => [
            id,
            {
              requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
              statuses: Object.fromEntries(statuses),
              exercised: [...exercised],
            },
          ]),
        ),
      }
    },
    clear: () => {
      tallies.clear()
      undeclared = 0
    },
  }
}

const addTally = (tallies: Map<string, Tally>, operation: string): Tally => {
  const tally = { statuses: new Map<number, number>(), exercised: new Set<string>() }
  tallies.set(operation, tally)
  return tally
}

/** By which the mock judges credentials. */
export type JudgeOptions = Pick<MutationContext, 'tokens' | 'unauthenticated'>

/** Those of the candidates, all obligations of one operation, that an exchange exercises. */
export const exercisedBy = (
  entry: Entry,
  candidates: readonly Obligation[],
  served: ServedOperation,
  options: JudgeOptions,
): readonly Obligation[] => {
  const siblings = served.obligations()
  const read = readAgain(served, entry)
  // What is wrong with it was found out when more of it was known.
  const request = read === null ? null : { ...read, violations: entry.violations as typeof read.violations }
  const declaredStatus = responseFor(served.operation, entry.status)?.status
  const violated = new Set(entry.violations.map(({ id }) => id))
  const tokens = [...(options.tokens ?? []), ...(request === null ? [] : possibleTokens(request))]
  return candidates.filter(obligation => {
    const { id, subject } = obligation
    if (violated.has(id)) return true
    if (subject.kind === 'response')
      return (
        subject.aspect === 'declared' || (subject.status === declaredStatus && isApplicable(subject, request))
      )
    if (request === null) return subject.kind === 'valid' && violated.size === 0
    const context: MutationContext = { ...options, ...served, obligation, siblings, tokens }
    if (request.violations.length === 0)
      return subject.kind === 'valid' || isOfKind(context, subject, request)
    if (subject.kind === 'credentials') return hasWrongCredentials(context, subject.name, request)
    return obligation.family === 'reject' && isInvalidBy(context, subject, request)
  })
}

type ResponseSubject = Extract<Obligation['subject'], { kind: 'response' }>

/** An echo is exercised only if the request contained something to echo. */
const isApplicable = (subject: ResponseSubject, request: MutantInput | null): boolean =>
  subject.aspect !== 'echo' ||
  (typeof request?.body === 'object' && request.body !== null && Object.hasOwn(request.body, subject.name))

/** The request as the engine reads it; null: the journal did not keep all of its body. */
export const readAgain = ({ engine, prefix }: ServedOperation, entry: Entry): MutantInput | null => {
  const { method, headers, body } = entry
  if (body !== null && body.length < entry.bodySize) return null
  const target = entry.target.slice(prefix.length)
  const request = { method, target, headers, body, tooLarge: false, connection: entry }
  const read = judgeRequest(engine, request)
  return read === null ? null : { ...read, request, before: [] }
}

/** If any token is accepted, nothing says which part of the credentials is the token: these are the candidates. */
const possibleTokens = ({ request }: MutantInput): readonly string[] => {
  const credentials = header(request.headers, 'authorization')?.trim().split(/\s+/).at(-1) ?? ''
  const withoutScheme = credentials.replace(/^(?:bearer|basic)[:=]?/i, '')
  return [credentials, withoutScheme]
    .flatMap(token => [token, Buffer.from(token, 'base64').toString()])
    .filter(Boolean)
}
