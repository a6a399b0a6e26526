import {
  type Obligation,
  outcomeText,
  type StateName,
  type Subject,
  statusOf,
  steps,
} from '../../spec/index.ts'
import { brokenKeyword, explainsErrors, requestKind } from './request-kind.ts'
import type { Incident } from './run-stats.ts'
import { reasonOf } from './server-words.ts'

/** What the findings of one cause share beside the mechanism, and a title for all of them; `wider`: see `FindingCause`. */
export type Explanation = {
  readonly shared: readonly string[]
  readonly title: string
  readonly wider?: string
}

const notOfSchema = 'answered with bodies that do not match their schema'

/** Where a response is wrong; null if that is not in itself. */
export const placeOfResponse = (subject: Subject): string | null => {
  if (subject.kind !== 'response') return null
  if (subject.aspect === 'schema') return `${subject.status} ${nameAt(subject.place)}`
  return subject.aspect === 'declared' ? null : subject.status
}

/** What is wrong before any schema is asked. */
const wrongInItself = {
  json: 'bodies that are not JSON',
  encoding: 'bodies that are not UTF-8',
  bom: 'bodies that begin with a byte order mark',
  'duplicate-names': 'bodies that have a property twice',
  xml: 'bodies that are not the declared XML',
  multipart: 'bodies that do not have the declared parts',
  items: 'streams that do not have the declared items',
  length: 'bodies that are not as long as announced',
  problem: 'problem details that are not as RFC 9457 has them',
  'rate-limit': 'rate-limit headers that contradict each other or the status',
} as const

const nameAt = (place: string): string =>
  steps(place).findLast(name => !/^(?:\*|\d+)$/.test(name)) ?? 'the body'

/** What is wrong with responses in themselves. */
export const wrongResponse = (
  subject: Exclude<Extract<Subject, { kind: 'response' }>, { aspect: 'declared' }>,
  { violation: { kind = '' } }: Incident,
): Explanation => {
  switch (subject.aspect) {
    case 'content-type': {
      const which = /^[45]/.test(subject.status) ? 'failures' : 'successes'
      return {
        shared: [subject.aspect, which, kind],
        title: `answered ${which} ${kind === '' ? 'without a Content-Type' : `as ${kind}`}, contrary to the document`,
      }
    }
    case 'schema': {
      const { keyword, place } = subject
      if (keyword === 'required' || keyword === 'dependentRequired')
        return {
          shared: ['required'],
          title: 'answered without properties that are required',
          wider: notOfSchema,
        }
      // Another type at another place has another reason, but null is what many serializers write for nothing.
      if (keyword === 'type' && kind !== 'null')
        return {
          shared: [keyword, nameAt(place)],
          title: `answered with another type as \`${nameAt(place)}\``,
          wider: notOfSchema,
        }
      const { key, text } = brokenKeyword(keyword, keyword === 'type' ? kind : '')
      return { shared: [key], title: `answered with ${text}`, wider: notOfSchema }
    }
    case 'header':
      return {
        shared: [subject.aspect, subject.header],
        title: `answered with a wrong header ${subject.header}`,
      }
    case 'echo':
      return { shared: [subject.aspect, kind], title: 'answered with other values than were sent' }
    case 'challenge':
      return { shared: [subject.aspect], title: 'answered 401 with a wrong WWW-Authenticate' }
    default:
      return {
        shared: [subject.aspect],
        title: `answered with ${wrongInItself[subject.aspect]}`,
      }
  }
}

/** What is wrong over time, or with what the server keeps. */
export const stabilityTitles = {
  pairing: 'mixed up the responses to concurrent requests',
  drift: 'stopped accepting valid requests during the run',
  recovery: 'did not recover from malformed HTTP',
  connection: 'lost connections before the response was complete',
} as const

export const stateTitles: Readonly<Record<StateName, string>> = {
  'read-back': 'did not find what was created',
  location: 'did not find what was created where its Location says',
  stored: 'stored other values than were sent',
  apart: 'mixed up two created resources',
  rejected: 'kept what it had rejected',
  'unknown-parent': 'created resources below what does not exist',
  unchanged: 'changed resources when they were read',
  unknown: 'found what does not exist',
  elsewhere: 'found resources below another parent than their own',
  contains: 'left out of its lists what was created',
  items: 'listed resources with other values than they have',
  kept: 'lost values that a change left out',
  repeated: 'answered a repeated change in another way',
  gone: 'found what was removed',
  unlisted: 'listed what was removed',
  'other-read': 'gave to one user what another has created',
  'other-list': 'listed for one user what another has created',
  'other-replace': 'let one user replace what another has created',
  'other-change': 'let one user change what another has created',
  'other-remove': 'let one user remove what another has created',
  'other-refused': 'refused the request of another user, and did what was asked all the same',
  again: 'failed to remove what was removed before',
  'key-once': 'created a second resource for the same request with the same key',
  'key-answer': 'answered a repeated request with the same key in another way',
  'key-other-body': 'accepted another body with a used key',
  'key-other-operation': 'gave the response of another operation for a used key',
  'key-at-once': 'created two resources for two requests at the same time with the same key',
  'if-same': 'did not answer 304 to the current ETag',
  'if-other': 'gave nothing for another ETag',
  'if-old': 'changed resources in spite of an old ETag',
  'if-current': 'refused the current ETag',
  'if-any': 'refused `If-Match: *`',
  'if-absent': 'accepted changes without a condition',
}

/** What server errors have in common that are not alike. */
export const differentErrors = (status: number): string => `answered ${status} with different errors`

export const unexplainedError = (status: number): string =>
  `answered ${status} to different kinds of requests, without saying why`

/** The reasons of server errors among these that say which error it is, and came to requests that do not explain them. */
export const errorsIn = (incidents: readonly (readonly [Obligation, Incident])[]): ReadonlySet<string> =>
  new Set(
    incidents
      .filter(
        ([obligation, { testCase, outcome }]) =>
          statusOf(outcome) >= 500 && !explainsErrors(requestKind(obligation, testCase.expectation)),
      )
      .map(([, incident]) => reasonOf(incident, [])),
  )

/** What the server did with such requests. */
export const did = ({ outcome, testCase: { expectation } }: Incident, requests: string): string =>
  outcomeText(outcome, requests, expectation)
