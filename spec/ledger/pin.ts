import { PinError, SelectionError } from '../errors.ts'
import type { Obligation, Pin } from '../obligations/obligation.ts'
import { answeredQuestion, questionId } from '../obligations/rejection-question.ts'
import { matchingIds } from '../obligations/selection.ts'
import type { RecordedObligation, Verdict } from './event.ts'
import type { Ledger } from './ledger.ts'

/** How a server answers whether what one user creates is kept from another. */
export const ownershipAnswers = { kept: 'denied', given: 'shared' } as const

/**
 * Turns pinned open questions into requirements: they MUST be answered as pinned. Throws PinError if a pin names no open
 * question, or one that is pinned already. Who owns a resource is an open question as well, though one answer is better than the other.
 */
export const pinned = (obligations: readonly Obligation[], pins: readonly Pin[]): readonly Obligation[] => {
  if (pins.length === 0) return obligations
  const held = new Map<string, Pin>()
  for (const pin of pins) {
    check(pin, obligations)
    if (held.has(pin.obligation))
      throw new PinError(`${pin.obligation} is pinned twice: list all its answers in one pin`)
    held.set(pin.obligation, pin)
  }
  return obligations.map(obligation => {
    const pin = held.get(obligation.id)
    if (pin !== undefined)
      return {
        ...obligation,
        level: 'MUST',
        requirement: `the response to ${obligation.input} is as pinned: ${pin.answers.join(' or ')}`,
        pin,
      }
    // The test cases of what is rejected answer the question how.
    const { operation, subject } = obligation
    const question = answeredQuestion(obligation)
    const answered = question === null ? undefined : held.get(questionId(operation, question))
    return answered === undefined || (subject.kind === 'credentials' && subject.isAccepted)
      ? obligation
      : { ...obligation, pin: answered }
  })
}

const check = ({ obligation: id, answers }: Pin, obligations: readonly Obligation[]): void => {
  const known = obligations.find(obligation => obligation.id === id)
  if (answers.length === 0) throw new PinError(`the pin of ${id} has no answers`)
  if (known?.level === 'OBSERVE') return
  if (known !== undefined && isOfOwner(known)) {
    checkAnswers(known, answers)
    return
  }
  if (known !== undefined)
    throw new PinError(`${id} is not an open question: its level is ${known.level}, so it is judged anyway`)
  try {
    matchingIds(
      obligations.map(obligation => obligation.id),
      id,
    )
    throw new PinError(`a pin names one open question, but ${id} is a pattern`)
  } catch (error) {
    throw error instanceof SelectionError ? new PinError(`a pin matches nothing: ${error.message}`) : error
  }
}

/** Whether an obligation asks who may have a resource that another user has created. */
export const isOfOwner = ({ family, level }: Pick<Obligation, 'family' | 'level'>): boolean =>
  family === 'ownership' && level === 'SHOULD'

const checkAnswers = ({ id }: Obligation, answers: readonly string[]): void => {
  const known: readonly string[] = Object.values(ownershipAnswers)
  const unknown = answers.find(answer => !known.includes(answer))
  if (unknown !== undefined)
    throw new PinError(`the pin of ${id} says ${unknown}: its answers are ${known.join(' and ')}`)
}

/** Whether what was observed is one of the pinned answers. */
export const isHeld = ({ answers }: Pin, observed: string): boolean =>
  answers.some(answer =>
    answer.includes('*')
      ? new RegExp(`^${answer.split('*').map(RegExp.escape).join('.*')}$`, 's').test(observed)
      : answer === observed,
  )

/** The answers in an observation, without their counts: `accepted (3) · rejected (2)`. */
export const observedAnswers = ({
  observation,
}: Extract<Verdict, { kind: 'observed' }>): readonly string[] => {
  const parts = observation.split(' · ')
  return parts.length === 1 ? parts : parts.map(part => part.replace(/ \(\d+\)$/, ''))
}

/**
 * The open questions of a run with their answers, observed or pinned, except answers that break a MUST: see `brokenAnswersOf`. That what one
 * user creates was kept from another is pinned; that it was not has to be pinned by hand.
 */
export const pinsOf = (ledger: Ledger): readonly Pin[] => {
  const broken = new Map(brokenAnswersOf(ledger).map(({ obligation, answers }) => [obligation, answers]))
  return ledger.entries.flatMap(({ obligation, verdict }) => {
    const { id, pinned: held } = obligation
    if (held !== undefined) return [{ obligation: id, answers: held }]
    if (isOfOwner(obligation) && verdict.kind === 'passed')
      return [{ obligation: id, answers: [ownershipAnswers.kept] }]
    if (verdict.kind !== 'observed') return []
    const answers = observedAnswers(verdict).filter(answer => broken.get(id)?.includes(answer) !== true)
    return answers.length === 0 ? [] : [{ obligation: id, answers }]
  })
}

/** What one user creates and another was given: only somebody who knows that it is shared may pin that. */
export const sharedIn = ({ entries }: Ledger): readonly string[] =>
  entries.flatMap(({ obligation, verdict }) =>
    isOfOwner(obligation) && verdict.kind === 'failed' ? [obligation.id] : [],
  )

/** The observed answers that nobody may pin, because a response with that status failed a MUST: a success without credentials, a crash. */
export const brokenAnswersOf = ({ start, entries, exchanges }: Ledger): readonly Pin[] => {
  const must = new Set(start.obligations.filter(({ level }) => level === 'MUST').map(({ id }) => id))
  const answers = new Map(
    start.obligations.map(({ id, operation, question }) => [
      id,
      question === undefined ? null : questionId(operation, question),
    ]),
  )
  const statusesOf = ({ id }: RecordedObligation): readonly string[] =>
    exchanges
      .filter(
        ({ obligation, failed }) => answers.get(obligation) === id && failed.some(each => must.has(each)),
      )
      .flatMap(({ outcome }) => (outcome.kind === 'response' ? [String(outcome.status)] : []))
  return entries.flatMap(({ obligation, verdict }) => {
    if (verdict.kind !== 'observed') return []
    const statuses = statusesOf(obligation)
    const answers = observedAnswers(verdict).filter(answer =>
      statuses.some(status => new RegExp(`\\b${status}\\b`).test(answer)),
    )
    return answers.length === 0 ? [] : [{ obligation: obligation.id, answers }]
  })
}
