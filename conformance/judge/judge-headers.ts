/** What the steps of a chain show of requests with keys and with conditions. */
import {
  type ConditionName,
  header,
  isObject,
  itemsIn,
  type Json,
  type JsonObject,
  type KeyName,
  propertyIn,
  sameJson,
  statusOf,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { isNamed } from '../pool/is-named.ts'
import {
  answer,
  at,
  bodyOf,
  createdNames,
  givenBefore,
  isDoneStep,
  isMarked,
  ofRole,
  type Problem,
  type Seen,
  sameAsFirst,
  sentBy,
  short,
  shown,
} from './chain-observation.ts'
import { differenceIn, differencesIn, expectedProperties } from './kept-properties.ts'

const isBroken = ({ outcome }: ChainStep): boolean => statusOf(outcome) === 0 || statusOf(outcome) >= 500

const isRefused = ({ outcome }: ChainStep): boolean => statusOf(outcome) >= 400 && statusOf(outcome) < 500

const subjectOf = ({ steps }: Seen): ChainStep | undefined => ofRole(steps, 'subject').at(-1)

/** `answered 500 to the repeated request` */
const answered = (step: ChainStep, request: string): string =>
  statusOf(step.outcome) === 0
    ? `gave no response to ${request}`
    : `answered ${statusOf(step.outcome)} to ${request}`

/** That the requests of a chain were given names of two resources, or that a list has another one with what they sent. */
const twice = (seen: Seen, when: string): Problem | null => {
  const { steps, resource } = seen
  const { noun } = resource
  const [one, other] = ofRole(steps, 'create', 'subject').filter(({ name }) => name !== undefined)
  if (one !== undefined && other !== undefined && !isNamed(one.name, other.name))
    return {
      at: other,
      expected: `one ${noun}: ${short(one.name)}`,
      actual: `another one: ${short(other.name)}`,
      title: `created a second ${noun} ${when}`,
    }
  const extra = unnamedIn(seen)
  const list = ofRole(steps, 'list').at(-1)
  return extra === undefined || list === undefined
    ? null
    : {
        at: list,
        expected: `one ${noun} more than before: ${short(one?.name)}`,
        actual: `also ${short(propertyIn(resource, extra))}, with the same values`,
        title: `created a second ${noun} ${when}, which ${list.operation} shows`,
      }
}

/** What is listed after the requests and was not before them, with the values of one of them, and that no response named. */
const unnamedIn = (seen: Seen): Json | undefined => {
  const { steps, resource } = seen
  const began = steps.findIndex(({ role }) => role === 'create')
  const itemsOf = (some: readonly ChainStep[]): readonly Json[] =>
    ofRole(some, 'list').flatMap(step => itemsIn(bodyOf(step)) ?? [])
  const before = itemsOf(steps.slice(0, began))
  const writes = ofRole(steps, 'create', 'subject')
  const known = [...before.map(item => propertyIn(resource, item)), ...writes.map(({ name }) => name)]
  return itemsOf(steps.slice(began)).find(item => {
    const name = propertyIn(resource, item)
    if (name === undefined || known.some(other => isNamed(name, other))) return false
    return writes.some(step => isWrittenBy(seen, step, item))
  })
}

/** Whether an item has all that a request sent, as far as it shows that, and a text among it: numbers are equal by chance. */
const isWrittenBy = (seen: Seen, step: ChainStep, item: Json): boolean => {
  if (!isObject(item)) return false
  const sent = expectedProperties(seen.contract, seen.read, sentBy(seen, step), undefined)
  const there: JsonObject = Object.fromEntries(
    Object.entries(sent).filter(([name]) => item[name] !== undefined),
  )
  const hasText = Object.values(there).some(
    value => typeof value === 'string' && value.length >= fewestLetters,
  )
  return hasText && differenceIn(there, item) === null
}

const fewestLetters = 6

export const keyProblems: Readonly<Record<KeyName, (seen: Seen) => Problem | null>> = {
  'key-once': seen => twice(seen, 'for the same request with the same key'),
  'key-answer': seen => {
    const [first] = ofRole(seen.steps, 'create')
    const second = subjectOf(seen)
    if (first === undefined || second === undefined) return null
    if (statusOf(first.outcome) !== statusOf(second.outcome))
      return {
        expected: `the answer to the first request: ${statusOf(first.outcome)}`,
        actual: answer(second.outcome),
        title: `${answered(second, 'the repeated request with the same key')}, and ${statusOf(first.outcome)} to the first`,
      }
    // That something else was created is another matter.
    const isSame = first.name === undefined || second.name === undefined || isNamed(first.name, second.name)
    const expected = givenBefore(createdNames(seen, 'create'), first, seen.resource)
    const [difference] = isSame ? differencesIn(expected, shown(second, seen.resource)) : []
    return difference === undefined
      ? null
      : {
          expected: `\`${difference.name}\` as in the answer to the first request: ${short(difference.expected)}`,
          actual: difference.actual === undefined ? `no \`${difference.name}\`` : short(difference.actual),
          title: `answered the repeated request with the same key with another \`${difference.name}\``,
        }
  },
  'key-other-body': seen => {
    const second = subjectOf(seen)
    if (second === undefined) return null
    const created = twice(seen, 'for a key that another body had taken')
    if (created !== null || isRefused(second)) return created
    return {
      at: second,
      expected: 'a 4xx status: the key was taken by another body',
      actual: answer(second.outcome),
      title: answered(second, 'another body with a key that was taken'),
    }
  },
  'key-other-operation': seen => {
    const [first] = ofRole(seen.steps, 'create')
    const second = subjectOf(seen)
    if (first === undefined || second === undefined) return null
    const [given, taken] = [bodyOf(second), bodyOf(first)]
    const isTaken =
      isDoneStep(seen, second) && given !== undefined && taken !== undefined && sameJson(given, taken)
    if (!isTaken && !isBroken(second)) return null
    return {
      expected: `an answer of ${second.operation}, or a 4xx status`,
      actual: answer(second.outcome),
      title: isTaken
        ? `${second.operation} answered with the response of ${first.operation}, which had taken the same key`
        : answered(second, `a key that ${first.operation} had taken`),
    }
  },
  'key-at-once': seen => {
    const created = twice(seen, 'for two requests at the same time with the same key')
    const broken = ofRole(seen.steps, 'create', 'subject').find(isBroken)
    if (created !== null || broken === undefined) return created
    return {
      at: broken,
      expected: 'the same answer for both, or 409 for one',
      actual: answer(broken.outcome),
      title: answered(broken, 'one of two requests at the same time with the same key'),
    }
  },
}

const tagOf = (step: ChainStep | undefined): string | null =>
  step?.outcome.kind === 'response' ? header(step.outcome.response.headers, 'etag') : null

/** What became of a write that was to be refused: whether it was, and had no effect. */
const refused = (seen: Seen, request: string, expected: string): Problem | null => {
  const write = subjectOf(seen)
  if (write === undefined) return null
  if (!isRefused(write))
    return { at: write, expected, actual: answer(write.outcome), title: answered(write, request) }
  const reads = ofRole(seen.steps, 'read').slice(-2)
  const [before, after] = reads.map(step => shown(step, seen.resource))
  const names = before !== undefined && isObject(before) ? createdNames(seen, 'create') : []
  const changed = at(
    reads[1],
    sameAsFirst(seen, reads, names, `after ${write.operation} had refused ${request}`),
  )
  const title = `refused ${request} (${statusOf(write.outcome)}), and did what was asked all the same`
  if (changed !== null) return { ...changed, title }
  return isMarked(before, after)
    ? { expected: `the ${seen.resource.noun} as it was`, actual: 'it is marked as removed', title }
    : null
}

/** A write whose condition holds. */
const accepted =
  (request: string) =>
  (seen: Seen): Problem | null => {
    const write = subjectOf(seen)
    return write === undefined || isDoneStep(seen, write)
      ? null
      : { expected: 'a success', actual: answer(write.outcome), title: answered(write, request) }
  }

/** The problem of an ETag that is the same before and after a change that shows; null if there is none. */
const staleTag = (seen: Seen): Problem | null => {
  const [first, second] = ofRole(seen.steps, 'read')
  if (second === undefined || tagOf(first) === null || tagOf(first) !== tagOf(second)) return null
  const names = Object.keys(givenBefore(createdNames(seen, 'create'), first, seen.resource))
  const difference = differenceIn(givenBefore(names, first, seen.resource), shown(second, seen.resource))
  return difference === null
    ? null
    : {
        at: second,
        expected: `another ETag, as \`${difference.name}\` has changed`,
        actual: `the ETag as before: ${short(tagOf(first) ?? undefined)}`,
        title: `${seen.read.id} gave the same ETag before and after a change of the ${seen.resource.noun}`,
      }
}

export const conditionProblems: Readonly<Record<ConditionName, (seen: Seen) => Problem | null>> = {
  'if-same': seen => {
    const last = subjectOf(seen)
    return last === undefined || statusOf(last.outcome) === 304
      ? null
      : {
          expected: '304: If-None-Match has the ETag of the last response',
          actual: answer(last.outcome),
          title: answered(last, 'If-None-Match with the current ETag'),
        }
  },
  'if-other': seen => {
    const last = subjectOf(seen)
    return last === undefined || (statusOf(last.outcome) !== 304 && isDoneStep(seen, last))
      ? null
      : {
          expected: `the ${seen.resource.noun}: If-None-Match has an ETag that nothing has`,
          actual: answer(last.outcome),
          title: answered(last, 'If-None-Match with an unknown ETag'),
        }
  },
  'if-old': seen => staleTag(seen) ?? refused(seen, 'If-Match with an old ETag', 'a 4xx status, such as 412'),
  'if-current': accepted('If-Match with the current ETag'),
  'if-any': accepted('`If-Match: *`'),
  'if-absent': seen => refused(seen, 'a request without If-Match', 'a 4xx status, such as the declared 428'),
}
