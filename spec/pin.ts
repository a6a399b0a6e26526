import type { Verdict } from './event.ts'
import type { Ledger } from './ledger.ts'
import type { Obligation, Pin } from './obligation.ts'
import { matchesOf, SelectionError } from './selection.ts'

/** A pin that cannot be used; the message is one line and says which and why. */
export class PinError extends Error {
  override readonly name = 'PinError'
}

/**
 * Makes promises of open questions: a pinned one MUST be answered as it was. Throws PinError where a pin names no open
 * question, or one that is pinned already.
 */
export const pinned = (obligations: readonly Obligation[], pins: readonly Pin[]): readonly Obligation[] => {
  const held = new Map<string, Pin>()
  for (const pin of pins) {
    check(pin, obligations)
    if (held.has(pin.obligation))
      throw new PinError(`${pin.obligation} is pinned twice: give all its answers at once`)
    held.set(pin.obligation, pin)
  }
  return obligations.map(obligation => {
    const own = held.get(obligation.id)
    if (own !== undefined)
      return {
        ...obligation,
        level: 'MUST',
        promise: `${obligation.promise}: as pinned, ${own.answers.join(' or ')}`,
        pin: own,
      }
    // How wrong credentials are answered is told by the cases that are to be refused.
    const { subject, operation } = obligation
    const credentials = held.get(`${operation}/open/credentials`)
    return credentials !== undefined && subject.kind === 'credentials' && !subject.accepted
      ? { ...obligation, pin: credentials }
      : obligation
  })
}

const check = ({ obligation: id, answers }: Pin, obligations: readonly Obligation[]): void => {
  const known = obligations.find(own => own.id === id)
  if (answers.length === 0) throw new PinError(`the pin of ${id} has no answers`)
  if (known?.level === 'OBSERVE') return
  if (known !== undefined)
    throw new PinError(`${id} is no open question: its level is ${known.level}, and it is judged`)
  if (id.includes('/wire/')) throw new PinError(`a pin matches nothing: ${id} is asked with --wire only`)
  try {
    matchesOf(
      obligations.map(own => own.id),
      id,
    )
    throw new PinError(`a pin names one open question, and ${id} is a pattern`)
  } catch (error) {
    throw error instanceof SelectionError ? new PinError(`a pin matches nothing: ${error.message}`) : error
  }
}

/** Whether an answer is one that a pin holds. */
export const isHeld = ({ answers }: Pin, said: string): boolean =>
  answers.some(answer =>
    answer.includes('*')
      ? new RegExp(`^${answer.split('*').map(RegExp.escape).join('.*')}$`, 's').test(said)
      : answer === said,
  )

/** The answers that an observation is made of, without how often each came: `accepted (3) · refused (2)`. */
export const observedAnswers = ({ what }: Extract<Verdict, { kind: 'observed' }>): readonly string[] => {
  const parts = what.split(' · ')
  return parts.length === 1 ? parts : parts.map(part => part.replace(/ \(\d+\)$/, ''))
}

/** The open questions of a run with their answers: those observed, and those that it was held to. */
export const pinsOf = ({ entries }: Ledger): readonly Pin[] =>
  entries.flatMap(({ obligation: { id, pinned: held }, verdict }) => {
    if (held !== undefined) return [{ obligation: id, answers: held }]
    return verdict.kind === 'observed' ? [{ obligation: id, answers: observedAnswers(verdict) }] : []
  })
