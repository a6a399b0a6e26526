import {
  type HttpRequest,
  isOfBody,
  type Json,
  locationText,
  matches,
  type Obligation,
  placeOf,
  placesOf,
  plainValue,
  setAt,
  steps,
  typeOf,
  type ValueLocation,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { controlOf, wasAccepted } from './control.ts'
import { type Difference, differences, needed, simplest, valueIn, withValues } from './differences.ts'
import { isGeneral } from './failed-kinds.ts'
import type { ResendOptions, UndocumentedRule } from './resend-options.ts'

/** The rejections that show a rule: what has no body or credentials is rejected for that. */
const isRejection = ({ testCase, outcome }: Incident): boolean =>
  testCase.expectation === 'accept' && outcome.kind === 'response' && outcome.response.status >= 400

/**
 * Finds out whether a valid request is rejected for a rule that the document does not have, and not for what its case is about: then the
 * same request without that is rejected as well, and one with what an accepted request has is accepted. `accepted`: a request that the
 * server accepted; null if there is none. `failed`: what valid requests failed of the operation, some of
 * them or all; `passed`: whether some met it.
 */
export const createUndocumentedRules = (
  accepted: TestCase | null,
  failed: readonly Obligation[],
  passed: (id: string) => boolean,
): ((incident: Incident, options: ResendOptions) => Promise<UndocumentedRule | null>) => {
  let known: readonly Difference[] = []
  return async (incident, options) => {
    if (accepted === null || !isRejection(incident)) return null
    const { testCase } = incident
    const isAccepted = async (spec: RequestSpec): Promise<boolean> => {
      const variant = options.budget.isOver() ? null : options.sender.validVariant(testCase, spec)
      if (variant === null) return false
      options.budget.left -= 1
      return wasAccepted(options.model, await options.sender.send(variant))
    }
    const base = controlOf(testCase, options.model) ?? parameterControl(testCase, options) ?? testCase.spec
    // What a case is about, or what went before it, is to blame if the request is accepted without that.
    if (await isAccepted(base)) return null
    const plainBranch = branchPlainly(testCase, options)
    // Nor is it to blame if it is accepted with plain values.
    const reference = plainBranch !== null && (await isAccepted(plainBranch)) ? plainBranch : accepted.spec
    const parameterAt = (name: string): ValueLocation => parameterIn(name, options)
    const all = differences(parameterAt, base, reference)
    const isMended = (each: readonly Difference[]): Promise<boolean> => isAccepted(withValues(base, each))
    const isKnown = known.length > 0 && (await isMended(known))
    const enough = isKnown ? known : await needed(all, isMended)
    if (enough.length === 0) return null
    // A request of another kind differs in more than what counts.
    const found = isKnown || enough.length === 1 ? enough : ((await simplest(base, isMended)) ?? enough)
    const rule = ruleFor(found, base, incident)
    const values = found.filter(({ isMissing }) => !isMissing)
    const tested = values.filter(({ location }) => isAbout(testCase.obligation, location))
    for (const { location } of tested) {
      // If a plain value is accepted, the one that the case is about is rejected for what it is.
      const plain = plainOf(location, options)
      if (plain === null || (await isAccepted(withValues(base, [...found, { location, value: plain }]))))
        return null
    }
    if (values.length > 0 && tested.length === 0) {
      const mended = withValues(base, found)
      const kind = failed.find(
        each => !passed(each.id) && isOf(each, base, options) && !isOf(each, mended, options),
      )
      if (kind !== undefined)
        return kind.id === testCase.obligation.id ? null : { ...rule, isToldBy: kind.id }
      const alike = failed.find(
        each => each.subject.kind === 'value' && values.some(({ location }) => isAbout(each, location)),
      )
      if (alike !== undefined) return { ...rule, isToldBy: alike.id }
      const [first] = values
      if (first !== undefined && found.length === 1) {
        const { location } = first
        // If another request is accepted with the value, it is rejected for what stands beside it: requests of all kinds show that best.
        const beside = withValues(reference, [{ location, value: valueIn(base, location) }])
        if ((await isAccepted(beside)) || !(await isAccepted(reference))) {
          const general = failed.find(isGeneral)
          return isGeneral(testCase.obligation)
            ? null
            : {
                ...rule,
                title: combinedTitle(location),
                isCombined: true,
                ...(general && { isToldBy: general.id }),
              }
        }
      }
    }
    known = found
    return rule
  }
}

/** Whether a request is of the kind that an obligation to accept is about, by its values. */
const isOf = ({ subject }: Obligation, spec: RequestSpec, { model }: ResendOptions): boolean =>
  (subject.kind === 'value' || subject.kind === 'branch') &&
  matches(model, subject, { body: spec.body, parameters: spec.parameters, request: noRequest }, [])

/** What a request has besides its values plays no part. */
const noRequest: HttpRequest = { method: '', target: '', headers: [], body: null, chunked: false }

const ruleFor = (
  found: readonly Difference[],
  rejected: RequestSpec,
  { outcome }: Incident,
): UndocumentedRule => {
  const places = found.map(({ location }) => locationText(location))
  const names = places.join(' and ')
  const status = outcome.kind === 'response' ? outcome.response.status : 0
  const isCrash = status >= 500
  const keysOf = (verb: 'requires' | 'limits') => ({
    key: `${verb} ${names} ${isCrash}`,
    parts: places.length > 1 ? places.map(place => `${verb} ${place} ${isCrash}`) : [],
  })
  if (found.every(({ isMissing }) => isMissing))
    return {
      ...keysOf('requires'),
      title: `${isCrash ? `answered ${status} without` : 'requires'} ${names}, which the document calls optional`,
      hint: 'Declare it as required, or accept requests without it.',
    }
  const kinds = new Set(found.map(({ location }) => kindOf(valueIn(rejected, location))))
  const what = kinds.size === 1 ? [...kinds][0] : 'values'
  return {
    ...keysOf('limits'),
    title: isCrash
      ? `answered ${status} to some ${what} as ${names}`
      : `takes only some ${what} as ${names}, without the document saying which`,
    hint: 'Say in the document which values are allowed (pattern, format, enum, or a limit), or accept them.',
  }
}

const combinedTitle = (location: ValueLocation): string =>
  `rejects some values of ${locationText(location)} beside others, without the document saying which`

const kindOf = (value: Json | undefined): string =>
  value === undefined
    ? 'values'
    : ({ string: 'texts', number: 'numbers' }[typeOf(value) as 'string'] ?? 'values')

/** Whether what an obligation is about stands at a place, or inside what does. */
const isAbout = ({ subject }: Obligation, place: ValueLocation): boolean => {
  if (!('location' in subject)) return false
  const { location } = subject
  if (!isOfBody(location)) return location.in === place.in && location.name === place.name
  return isOfBody(place) && steps(place.place).every((key, index) => steps(location.place)[index] === key)
}

/** The request with a plain value of the alternative that its case is about; null if it is about none. */
const branchPlainly = (
  { spec, obligation: { subject } }: TestCase,
  { model }: ResendOptions,
): RequestSpec | null => {
  if (subject.kind !== 'branch' || (subject.keyword !== 'oneOf' && subject.keyword !== 'anyOf')) return null
  const { location, schema } = subject
  if (location.place.includes('*') || !isOfBody(location) || spec.body === undefined) return null
  const value = plainValue(placesOf(model.contract.requests.document, schema))
  return { ...spec, body: setAt(spec.body, location.place, value) }
}

const parameterIn = (name: string, { model }: ResendOptions): ValueLocation => {
  const found = model.parameters.find(({ parameter }) => parameter.name === name)?.parameter
  return { in: found?.in ?? 'query', name, place: '' }
}

/** The request with a plain value of the parameter that its case is about. */
const parameterControl = (
  { spec, obligation: { subject } }: TestCase,
  options: ResendOptions,
): RequestSpec | null => {
  if (subject.kind !== 'value' || isOfBody(subject.location)) return null
  const { location } = subject
  const value = plainOf(location, options)
  return value === null || valueIn(spec, location) === undefined
    ? null
    : withValues(spec, [{ location, value }])
}

const plainOf = (location: ValueLocation, { model }: ResendOptions): Json | null => {
  const root = model.body?.root
  const ofBody = root === undefined ? null : placeOf(root, location.place)
  const place = isOfBody(location)
    ? ofBody
    : model.parameters.find(({ parameter: { name } }) => name === location.name)?.root
  return place == null ? null : plainValue(place)
}
