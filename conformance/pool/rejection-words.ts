/** What servers say of something that is not there, is there already, or is in use. */
import { type HttpResponse, type Json, type Outcome, statusOf } from '../../spec/index.ts'

/** Whether a status says that nothing has the name in a path. */
export const isAbsence = (status: number): boolean => status === 404 || status === 410

/**
 * Whether an answer to a valid request is that nothing has one of these names of its path: by its status, or in words that stand beside a name.
 * What repeats a path says nothing of the names in it.
 */
export const isNotFound = (outcome: Outcome, names: readonly Json[]): boolean => {
  if (outcome.kind === 'failure') return false
  const { status } = outcome.response
  if (isAbsence(status)) return true
  return (status === 400 || status === 422) && isAbsenceOf(outcome.response, names)
}

/** Whether a response says in words that nothing has one of these names, as in `tag not found: fern`. */
export const isAbsenceOf = (response: HttpResponse, names: readonly Json[]): boolean => {
  const text = beginningOf(response)
  return names.some(name => {
    if (typeof name !== 'string' || name.length < leastLetters) return false
    const whole = `(?<![\\w/-])${RegExp.escape(name)}(?![\\w/-])`
    return new RegExp(`(?:${absent}).{0,40}${whole}|${whole}.{0,40}(?:${absent})`, 'is').test(text)
  })
}

/** Whether a rejection says that something is there already: what some servers have a 409 for, others tell with any status. */
export const isConflictInWords = (outcome: Outcome): boolean => failsWith(outcome, conflict)

/** Whether a rejection is a conflict, by its status or in words. */
export const isConflict = (outcome: Outcome): boolean =>
  statusOf(outcome) === 409 || isConflictInWords(outcome)

/** Whether a rejection says that something is still used by something else. */
export const isUseInWords = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status < 500 && failsWith(outcome, use)

/** Whether a rejection says that something goes on which another request has started: later the same may be accepted. */
export const isUnderWay = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status < 500 && failsWith(outcome, underWay)

/** Whether a rejection or a crash says that something is not there, whatever its status. */
export const isAbsenceInWords = (outcome: Outcome): boolean => failsWith(outcome, gone)

/** Whether an answer with a status of credentials is about something that is not there, and not about who asks. */
export const isAbsenceAsAccess = (outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  [401, 403].includes(outcome.response.status) &&
  isAbsenceInWords(outcome) &&
  !ofCredentials.test(beginningOf(outcome.response))

const ofCredentials =
  /token|key|credential|session|user|account|auth|log ?in|sign|permission|licen[cs]e|role/i

const failsWith = (outcome: Outcome, words: RegExp): boolean =>
  outcome.kind === 'response' && outcome.response.status >= 400 && words.test(beginningOf(outcome.response))

/** The beginning of a body as text: what a server says of a failure stands there. */
export const beginningOf = ({ body }: HttpResponse): string =>
  Buffer.from(body.subarray(0, mostRead)).toString()

/** What servers say of something that is not there. */
const absent =
  "not (?:be |been )?found|(?:not|n['’]t) exist|no such|no [\\w-]{1,40} exist|(?:cannot|can['’]?t|could not|couldn['’]?t) find|unknown|(?:does not|doesn['’]t) have an?\\b(?! (?:access|permission|right|role))"
const gone = new RegExp(`${absent}|found with id`, 'i')
const use = /\b(?:used|referenced|required) by\b|\bin use\b|\bnot empty\b|\bhas (?:children|dependen\w+)\b/i
const underWay =
  /\b(?:already|still|currently) (?:running|in progress|executing|being \w+)\b|\b(?:is|are) (?:in progress|being processed)\b/i
const conflict =
  /already (?:exist|taken|in use|used|registered)|duplicate|must be unique|not unique|unique (?:constraint|index|key)/i

/** Bytes that are read of an answer, and letters of a name that does not stand in it by chance. */
const [mostRead, leastLetters] = [4096, 4]
