import type { ObligationId, Pin } from '../../spec/index.ts'
import type { LearnedBehavior, LearnedFailure } from './learn.ts'

/**
 * Learns from the answers that pins require, which are those that a run observed; `source`: what they are called. Pins have statuses
 * and codes, but no bodies: failures have the bodies of the mock.
 */
export const learnFromPins = (pins: readonly Pin[], source: string): LearnedBehavior => {
  const questions = new Map<ObligationId, LearnedFailure>()
  const echoing = new Set<ObligationId>()
  const notLearned: string[] = []
  for (const { obligation, answers } of pins) {
    const read = answers.map(readAnswer)
    const [first] = read
    if (first === undefined || read.includes(null))
      notLearned.push(`${obligation}: the pin has a pattern, or an answer without a status`)
    else if (new Set(read.map(each => each?.status)).size > 1)
      notLearned.push(`${obligation}: the pin allows several statuses`)
    else if (first?.status != null) {
      const codes = new Set(read.map(each => each?.code ?? null))
      questions.set(obligation, { status: first.status, code: codes.size === 1 ? first.code : null })
    } else if (answers.every(answer => answer === 'accepted, echoed')) echoing.add(obligation)
  }
  return { target: source, rejections: new Map(), questions, echoing, delays: new Map(), notLearned }
}

type Answer = { readonly status: number | null; readonly code: number | null }

/** `accepted (200)`, `rejected (400 error 7)`, `401 error 1`, `PUT: 405, Allow: POST`, `404`. Null: none of these. */
const readAnswer = (answer: string): Answer | null => {
  if (answer.startsWith('accepted')) return { status: null, code: null }
  const [, status] = /^(?:rejected \(|[A-Z]+: )?([45]\d\d)\b/.exec(answer) ?? []
  const [, code] = / (?:error|code|errorCode|error_code|errno) (\d+)\b/.exec(answer) ?? []
  return status === undefined || answer.includes('*')
    ? null
    : { status: Number(status), code: code === undefined ? null : Number(code) }
}
