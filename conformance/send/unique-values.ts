import {
  isObject,
  isOfBody,
  type Json,
  type Obligation,
  type Outcome,
  type Pointer,
  setAt,
  statusOf,
  step,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { expectationOf } from '../cases/expectation.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { RandomValues } from '../cases/random-values.ts'
import { type Attempt, notSent } from './lost-connections.ts'
import {
  type Answer,
  alikeValues,
  answerTo,
  isAnswer,
  isScalar,
  mayBeConflict,
  otherValues,
  scalarPlaces,
  valueIn,
} from './taken-values.ts'

/**
 * The properties of a body whose values a server takes only once, such as a name with UNIQUE in a database. What such a rejection says is
 * nothing about the case that it answers.
 */
export type UniqueValues = {
  /** The case with values that were not sent before, where the server takes each only once. */
  readonly fresh: (testCase: TestCase) => TestCase
  /**
   * Sends again what was rejected for a value that was taken before, with another one. What has to send such a value shows nothing, but for a
   * server error: any valid request may get that.
   */
  readonly withoutConflict: (
    sendOnce: (testCase: TestCase) => Promise<Attempt>,
  ) => (testCase: TestCase) => Promise<Attempt>
  /** The case with other values in all places that it is not about. */
  readonly varied: (testCase: TestCase) => TestCase
  /** The case, whose values are meant as they are from now on. */
  readonly exactly: (testCase: TestCase) => TestCase
}

export type UniqueValuesOptions = {
  readonly model: OperationModel
  readonly values: RandomValues
  readonly token: () => string
  /** Tells the values of this run from those of earlier ones. */
  readonly salt: number
  /** That any valid request is accepted. */
  readonly valid: Obligation | undefined
  readonly send: (testCase: TestCase) => Promise<Outcome>
}

/** Rejections that are looked into, if none of them was for a value that was taken before. */
const mostTries = 3

/** So many bodies have to be accepted once, and then rejected so often: chance alone does that in one run of a thousand. */
const [rounds, repeats] = [3, 2]

export const createUniqueValues = ({
  model,
  values,
  token,
  salt,
  valid,
  send,
}: UniqueValuesOptions): UniqueValues => {
  const unique = new Set<Pointer>()
  /** Bodies whose values are meant as they are. */
  const exact = new WeakSet<object>()
  /** Bodies with values that were not sent before. */
  const renewed = new WeakSet<object>()
  const answers: Answer[] = []
  /** By the status of the rejection: another one has another reason. */
  const tries = new Map<number, number>()
  let counter = 0
  let learning: Promise<boolean> = Promise.resolve(false)

  const withSpec = (testCase: TestCase, spec: RequestSpec): TestCase | null => {
    const expected = expectationOf(model, testCase.obligation, spec, token())
    return expected?.expectation === testCase.expectation && expected.cause === testCase.cause
      ? { ...testCase, spec, ...expected }
      : null
  }
  /** The case with another value at this place that tests the same; as it was if there is none. */
  const freshAt = (testCase: TestCase, place: Pointer): TestCase => {
    const { spec, obligation } = testCase
    const { subject } = obligation
    const value = spec.body === undefined ? undefined : (valueAt(spec.body, place) as Json | undefined)
    if (value === undefined || !isScalar(value)) return testCase
    const isTested = 'location' in subject && isOfBody(subject.location) && subject.location.place === place
    counter += 1
    const others = isTested
      ? alikeValues(value, salt, counter, 'name' in subject && /length/i.test(subject.name))
      : otherValues(value, salt, counter, index => valueIn(values.body(index), place))
    for (const other of others) {
      const next = withSpec(testCase, { ...spec, body: setAt(spec.body as Json, place, other) })
      if (next !== null) return next
    }
    return testCase
  }
  const freshIn = (testCase: TestCase, places: Iterable<Pointer>): TestCase =>
    [...places].reduce(freshAt, testCase)
  // Of identities the run has ranges, so that none comes twice.
  const identity = model.identity === null ? null : step('', model.identity.name)
  const placesIn = ({ spec: { body } }: TestCase): readonly Pointer[] =>
    scalarPlaces(body).filter(place => place !== identity)
  const placesBeside = (testCase: TestCase): readonly Pointer[] => {
    const { subject } = testCase.obligation
    const about = 'location' in subject && isOfBody(subject.location) ? subject.location.place : null
    return placesIn(testCase).filter(place => place !== about)
  }
  const exactly = (testCase: TestCase): TestCase => {
    if (isObject(testCase.spec.body)) exact.add(testCase.spec.body)
    return testCase
  }
  const sendExactly = (testCase: TestCase): Promise<Outcome> => send(exactly(testCase))

  /** A body with other values that is accepted once, and no more: then the repetition is rejected, and no kind of value. */
  const takenOnce = async (rejected: TestCase, places: readonly Pointer[], outcome: Outcome) => {
    const other = freshIn(rejected, places)
    if (other === rejected || !isAccepted(await sendExactly(other))) return null
    let again = outcome
    for (let time = 0; time < repeats; time++) {
      again = await sendExactly({ ...other, spec: { ...other.spec } })
      if (statusOf(again) !== statusOf(outcome)) return null
    }
    return { body: other.spec.body, again }
  }

  const search = async (rejected: TestCase, outcome: Outcome): Promise<boolean> => {
    const places = placesIn(rejected)
    const taken: { readonly body: Json | undefined; readonly again: Outcome }[] = []
    while (taken.length < rounds) {
      const once = await takenOnce(rejected, places, outcome)
      if (once === null) return false
      taken.push(once)
    }
    let needed: readonly Pointer[] = places
    for (const place of places) {
      const rest = needed.filter(candidate => candidate !== place)
      if (rest.length > 0 && isAccepted(await sendExactly(freshIn(rejected, rest)))) needed = rest
    }
    for (const place of needed) unique.add(place)
    // The values of the other one are long, so that they stand in the text only where it repeats them.
    for (const { body, again } of taken) answers.push(answerTo(body, again, unique))
    return true
  }

  const fresh = (testCase: TestCase): TestCase => {
    const { body, encoding } = testCase.spec
    // A text is sent as it is, whatever the value of the body.
    const isMeant =
      unique.size === 0 ||
      !isObject(body) ||
      encoding.kind === 'text' ||
      exact.has(body) ||
      isRepeating(testCase)
    const next = isMeant ? testCase : freshIn(testCase, unique)
    if (next !== testCase && isObject(next.spec.body)) renewed.add(next.spec.body)
    return next
  }

  /** Finds out whether a rejection was for a value that was taken before; true if the case is worth sending again. */
  const learn = async (testCase: TestCase, outcome: Outcome): Promise<boolean> => {
    const { expectation, spec } = testCase
    const { body } = spec
    if (expectation !== 'accept' || !mayBeConflict(outcome, body) || !isObject(body)) return false
    if (exact.has(body) || isRepeating(testCase)) return false
    const known = unique.size
    const turn = learning.then(async () => {
      if (unique.size > known) return true
      const isFresh = renewed.has(body)
      // It was on its way when this was found out.
      if (!isFresh && unique.size > 0 && fresh(testCase) !== testCase) return true
      const status = statusOf(outcome)
      const tried = tries.get(status) ?? 0
      // What was sent fresh was not taken before.
      if (tried >= mostTries || isFresh) return false
      tries.set(status, tried + 1)
      return search(testCase, outcome)
    })
    learning = turn.catch(() => false)
    return turn
  }
  /** Whether a case had to send a value that was taken before. */
  const hasTakenValue = ({ expectation, spec }: TestCase, outcome: Outcome): boolean =>
    unique.size > 0 &&
    expectation === 'accept' &&
    answers.some(answer => isAnswer(answer, spec.body, outcome))

  return {
    fresh,
    withoutConflict: sendOnce => async planned => {
      const first = await sendOnce(planned)
      if (first.missing !== undefined) return first
      const isError = statusOf(first.outcome) >= 500
      const isTaken = await learn(first.testCase, first.outcome)
      const attempt = isTaken && !isError ? await sendOnce(planned) : first
      const { testCase, outcome } = attempt
      if (!hasTakenValue(testCase, outcome)) return attempt
      if (isError) return { ...attempt, testCase: { ...testCase, obligation: valid ?? testCase.obligation } }
      const names = [...unique].map(place => place.slice(1)).join(', ')
      const reason = `the server takes each value of ${names} only once, and this one was taken before`
      return { ...notSent(planned, reason), isClosable: false }
    },
    varied: testCase => freshIn(testCase, placesBeside(testCase)),
    exactly,
  }
}

/** Whether a case is about sending the very same again. */
const isRepeating = ({ obligation: { subject }, spec: { method } }: TestCase): boolean =>
  subject.kind === 'state' && (method !== 'POST' || subject.name.startsWith('key-'))

const isAccepted = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300
