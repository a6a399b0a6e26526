import {
  cut,
  type HttpResponse,
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  type Outcome,
  type RawNumber,
  readableBody,
  readJson,
  redact,
  type Secret,
  statusOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { isAbsence } from './expected-status.ts'
import { signature } from './observation-text.ts'

type Seen = { readonly testCase: Pick<TestCase, 'spec'>; readonly outcome: Outcome }

/**
 * The words of a rejection, without what it repeats of the request and what differs from one response to the next: values that were
 * sent, quoted texts that name nothing, numbers, ids and times. Empty if it says nothing. `others`: whose values are left out as well.
 */
export const serverWords = (seen: Seen, ...others: readonly Seen[]): string => {
  // Some servers write the members of an object in any order.
  return wordsIn(textOf(seen, others)).toSorted().join(' ')
}

/** What a rejection says, without the values that were sent. */
const textOf = (seen: Seen, others: readonly Seen[]): string => {
  const { outcome } = seen
  if (outcome.kind === 'failure' || outcome.response.status < 400) return ''
  const body = readableBody(outcome.response)
  const reading = readJson(body)
  const text = reading.ok
    ? leavesOf(reading.value)
        .filter(leaf => typeof leaf === 'string')
        .join(' ')
    : new TextDecoder().decode(body).replaceAll(/<[^>]*(?:>|$)/g, tag => (tag.endsWith('>') ? ' ' : tag))
  return (
    [seen, ...others]
      .flatMap(({ testCase }) => sentTexts(testCase.spec))
      // A short one may be part of a longer one.
      .sort((left, right) => right.length - left.length)
      .reduce(withoutWhole, text)
  )
}

const wordsIn = (text: string): readonly string[] =>
  withoutQuoted(text)
    .replaceAll(/\S+/g, word => (/\p{N}/u.test(word) ? ' ' : word))
    .match(/\p{L}{2,}/gu) ?? []

/** What closes a quoted text, if that is another mark than the one that opens it. */
const closing: Readonly<Record<string, string>> = { '“': '”', '«': '»' }
// An apostrophe within a word is no quotation mark.
const opening = /["`“«]|(?<![\p{L}\p{N}])'/gu

const withoutQuoted = (text: string): string => {
  const unclosed = new Set<string>()
  let rest = ''
  let from = 0
  for (const { 0: mark, index } of text.matchAll(opening)) {
    if (index < from || unclosed.has(mark)) continue
    const end = text.indexOf(closing[mark] ?? mark, index + 1) + 1
    if (end === 0) unclosed.add(mark)
    else if (mark !== "'" || !/^\p{L}/u.test(text.slice(end, end + 2))) {
      rest += text.slice(from, index) + nameIn(text.slice(index, end))
      from = end
    }
  }
  return rest + text.slice(from)
}

/**
 * Whether two rejections are for the same reason, as far as the server says: they have the same status and the same words. What either
 * request has sent is left out of both, as a short value may be a word of the server's own.
 */
export const isSameAnswer = (left: Seen, right: Seen): boolean =>
  signature(left.outcome) === signature(right.outcome) &&
  serverWords(left, right) === serverWords(right, left)

/**
 * Whether an answer to a valid request is that nothing has one of these names of its path: by its status, or in words that stand beside a name, as in
 * `tag not found: fern`. What repeats a path says nothing of the names in it.
 */
export const isNotFound = (outcome: Outcome, names: readonly Json[]): boolean => {
  if (outcome.kind === 'failure') return false
  const { status } = outcome.response
  if (isAbsence(status)) return true
  if (status !== 400 && status !== 422) return false
  const text = beginningOf(outcome.response)
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
  "not (?:be |been )?found|(?:not|n['’]t) exist|no such|no [\\w-]{1,40} exist|(?:cannot|can['’]?t|could not|couldn['’]?t) find|unknown"
const gone = new RegExp(`${absent}|found with id`, 'i')
const use = /\b(?:used|referenced|required) by\b|\bin use\b|\bnot empty\b|\bhas (?:children|dependen\w+)\b/i
const underWay =
  /\b(?:already|still|currently) (?:running|in progress|executing|being \w+)\b|\b(?:is|are) (?:in progress|being processed)\b/i
const conflict = /already (?:exist|taken|in use|used|registered)|duplicate|must be unique|not unique/i

/** Bytes that are read of an answer, and letters of a name that does not stand in it by chance. */
const [mostRead, leastLetters] = [4096, 4]

/** What tells one answer from another: the status or the kind of failure, and the words. */
export const answerOf = (seen: Seen): string => `${signature(seen.outcome)} ${serverWords(seen)}`.trim()

/** A quoted text that could be the name of a property says which one is meant; what else is quoted is a value. */
const nameIn = (text: string): string => (/^.[\p{L}_$][\w.$-]*.$/u.test(text) ? text.slice(1, -1) : ' ')

/** What a body says to people: its longest text that has more than one word; null if there is none. */
export const saidIn = (body: string): string | null => {
  const reading = readJson(Buffer.from(body))
  const texts = reading.ok
    ? leavesOf(reading.value).filter(leaf => typeof leaf === 'string')
    : isMarkup(body)
      ? []
      : [body]
  const sentences = texts.map(text => text.replace(/\s+/g, ' ').trim()).filter(text => text.includes(' '))
  const [said] = sentences.sort((one, other) => other.length - one.length)
  return said === undefined ? null : cut(said)
}

/** Words that say no more than the status. */
const empty =
  /^(?:an?|the|is|was|has|have|been|and|or|of|to|for|in|on|with|this|your|internal|server|errors?|exceptions?|message|messages|unexpected|unhandled|occurr?ed|something|went|wrong|status|code|failed|failure|bad|requests?|invalid|validation|details?|type|title)$/i

/**
 * The words of a rejection that tell one reason from another at any place: names differ from place to place, and so do the words of the
 * server. `at`: names above the value that it is about. Empty if it says no more than the status.
 */
export const reasonOf = (seen: Seen, at: readonly string[]): string => {
  // The page of a framework says the same of every error.
  if (isPage(seen.outcome)) return ''
  const { parameters, body } = seen.testCase.spec
  const names = new Set([...namesIn(parameters), ...namesIn(body), ...at].map(name => name.toLowerCase()))
  const words = wordsIn(textOf(seen, []).replaceAll(identifier, ' '))
    .map(word => word.toLowerCase())
    .filter(word => !empty.test(word) && !names.has(word))
  return [...new Set(words)].toSorted().slice(0, 40).join(' ')
}

/** `Subject.Type`, `errors[0].field`, `storeId` */
const identifier =
  /(?<![\p{L}\p{N}_$])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:[-./[\]]+[\p{L}\p{N}_$]+)+|\p{Ll}+\p{Lu}\p{L}*)/gu

/** Whether the words of a reason are enough to tell one error from another. */
export const tellsApart = (reason: string): boolean => reason.split(' ').length >= 3

/** HTML or XML. */
const isMarkup = (body: string): boolean => /^\s*</.test(body)

const isPage = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && isMarkup(new TextDecoder().decode(outcome.response.body.subarray(0, 64)))

/** The names of properties in a value. */
const namesIn = (value: Json | undefined): readonly string[] => {
  if (isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : []
}

/**
 * `text`, followed by what the server said, if that is more than the status. `secrets` are removed before a long text is cut, as half a
 * secret is still a secret.
 */
export const withWords = (text: string, outcome: Outcome, secrets: readonly Secret[]): string => {
  const body = outcome.kind === 'response' ? new TextDecoder().decode(readableBody(outcome.response)) : ''
  const said = saidIn(redact(body, secrets))
  return said === null || wordsIn(said).every(word => empty.test(word)) ? text : `${text}: «${said}»`
}

/** The values of a request as texts. */
const sentTexts = ({ parameters, body, encoding }: TestCase['spec']): readonly string[] => {
  const texts = [...Object.values(parameters), body]
    .flatMap(value => (value === undefined ? [] : leavesOf(value)))
    .map(leaf => (isNumber(leaf) ? numberText(leaf) : leaf))
    .flatMap(text => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())])
  const all = encoding.kind === 'text' ? [...texts, encoding.text] : texts
  return [...new Set(all)].filter(text => text.trim() !== '')
}

/** The texts and numbers in a value. */
const leavesOf = (value: Json): readonly (string | number | RawNumber)[] => {
  if (typeof value === 'string' || isNumber(value)) return [value]
  if (isArray(value)) return value.flatMap(leavesOf)
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : []
}

/** The text without another one, wherever that is not just a part of a word. */
const withoutWhole = (text: string, sent: string): string => {
  const isInWord = (at: number): boolean => /[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, at - 1), at + 1))
  let rest = ''
  let from = 0
  for (let at = text.indexOf(sent); at >= 0; at = text.indexOf(sent, at + sent.length)) {
    const end = at + sent.length
    if (isInWord(at) || isInWord(end)) continue
    rest += `${text.slice(from, at)} `
    from = end
  }
  return rest + text.slice(from)
}
