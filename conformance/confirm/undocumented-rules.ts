import { type Json, locationText, statusOf, typeOf, type ValueLocation } from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { type Difference, valueIn } from './differences.ts'
import type { UndocumentedRule } from './resend-options.ts'

/** The rule for which a server rejects some texts at a place. */
export const textRule = (location: ValueLocation, incident: Incident): UndocumentedRule =>
  ruleFor([{ location, value: undefined, isMissing: false }], incident.testCase.spec, incident)

/** The rule of a server that rejects a request which is accepted with these differences, or with any of `others` in their place. */
export const ruleFor = (
  found: readonly Difference[],
  rejected: RequestSpec,
  { outcome }: Incident,
  others: readonly (readonly Difference[])[] = [],
): UndocumentedRule => {
  const placesOf = (some: readonly Difference[]): readonly string[] =>
    some.map(({ location }) => locationText(location))
  const places = placesOf(found)
  const isOneOf = others.length > 0
  // Whichever of them an accepted request had, it is the same rule.
  const names = [places, ...others.map(placesOf)]
    .map(each => each.join(' and '))
    .sort()
    .join(' or ')
  const status = statusOf(outcome)
  const isCrash = status >= 500
  const keysOf = (verb: 'requires' | 'limits') => ({
    key: `${verb} ${names} ${isCrash}`,
    parts: places.length > 1 && !isOneOf ? places.map(place => `${verb} ${place} ${isCrash}`) : [],
  })
  if (found.every(({ isMissing }) => isMissing))
    return {
      ...keysOf('requires'),
      ...(isOneOf ? {} : { requires: found.map(({ location }) => location) }),
      title: `${isCrash ? `answered ${status} without` : 'requires'} ${names}, which the document calls optional`,
      hint: isCrash
        ? crashHint
        : isOneOf
          ? 'Declare that one of them is required (`anyOf`), or accept requests without any.'
          : 'Declare it as required, or accept requests without it.',
    }
  const kinds = new Set(found.map(({ location }) => kindOf(valueIn(rejected, location))))
  const what = kinds.size === 1 ? [...kinds][0] : 'values'
  return {
    ...keysOf('limits'),
    title: isCrash
      ? `answered ${status} to some ${what} as ${names}`
      : `takes only some ${what} as ${names}, without the document saying which`,
    hint: isCrash
      ? crashHint
      : 'Say in the document which values are allowed (pattern, format, enum, or a limit), or accept them.',
  }
}

const crashHint =
  'The server fails on these. Look in its log for an uncaught error; if they are not allowed, also say so in the document.'

/** A rule that holds only beside other values; `other`: null if nobody knows which. Either of two values gives the same rule. */
export const combinedRule = (
  rule: UndocumentedRule,
  location: ValueLocation,
  other: ValueLocation | null,
): UndocumentedRule => {
  const [one = '', two = 'others'] = [location, ...(other === null ? [] : [other])].map(locationText).sort()
  return {
    ...rule,
    ...(other === null ? {} : { key: rule.key.replace(locationText(location), `${one} beside ${two}`) }),
    title: `rejects some values of ${one} beside ${two}, without the document saying which`,
    isCombined: true,
  }
}

const kindOf = (value: Json | undefined): string =>
  value === undefined
    ? 'values'
    : ({ string: 'texts', number: 'numbers' }[typeOf(value) as 'string'] ?? 'values')
