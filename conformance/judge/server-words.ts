import {
  cut,
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
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
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

/** Whether a response is a page, whatever it is called. */
export const isPage = (outcome: Outcome): boolean =>
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
