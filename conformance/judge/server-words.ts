import {
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  type Outcome,
  readJson,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { signature } from './observation-text.ts'

type Seen = { readonly testCase: Pick<TestCase, 'spec'>; readonly outcome: Outcome }

/**
 * The words of a rejection, without what it repeats of the request and what differs from one response to the next: values that were
 * sent, quoted texts that name nothing, numbers, ids and times. Empty if it says nothing. Rejections for the same reason have the same
 * words; other words are another reason.
 */
export const serverWords = ({ testCase: { spec }, outcome }: Seen): string => {
  if (outcome.kind === 'failure' || outcome.response.status < 400) return ''
  const reading = readJson(outcome.response.body)
  const text = reading.ok
    ? textsIn(reading.value).join(' ')
    : new TextDecoder().decode(outcome.response.body).replaceAll(/<[^>]*>/g, ' ')
  return sentTexts(spec)
    .reduce(withoutWhole, text)
    .replaceAll(/"[^"]*"|`[^`]*`|“[^”]*”|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?!\p{L})/gu, nameIn)
    .replaceAll(/\S*\p{N}\S*/gu, ' ')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
}

/** What tells one answer from another: the status or the kind of failure, and the words. */
export const answerOf = (seen: Seen): string => `${signature(seen.outcome)} ${serverWords(seen)}`.trim()

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

/** A quoted text that could be the name of a property says which one is meant; what else is quoted is a value. */
const nameIn = (quoted: string): string => (/^.[\p{L}_$][\w.$-]*.$/u.test(quoted) ? quoted.slice(1, -1) : ' ')

/** The values of a request as texts, the longest first: a short one may be part of a longer one. */
const sentTexts = ({ parameters, body, encoding }: TestCase['spec']): readonly string[] => {
  const texts = [...Object.values(parameters), body]
    .flatMap(value => (value === undefined ? [] : scalarsIn(value)))
    .flatMap(text => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())])
  const all = encoding.kind === 'text' ? [...texts, encoding.text] : texts
  return [...new Set(all)]
    .filter(text => text.trim() !== '')
    .sort((left, right) => right.length - left.length)
}

const scalarsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (isNumber(value)) return [numberText(value)]
  if (isArray(value)) return value.flatMap(scalarsIn)
  return isObject(value) ? Object.values(value).flatMap(scalarsIn) : []
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
