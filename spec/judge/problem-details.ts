import { isNumber, isObject, type Json, numberText } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import type { SchemaViolation } from '../schema/schema-violation.ts'
import { compileSchema, type Validate } from '../schema/validator.ts'
import { shortText, shortValue } from '../text/shown-text.ts'
import type { BodyViolation } from './response-body.ts'

/** The members that RFC 9457 defines. Many servers write null for what they leave out. */
const members = {
  type: { type: ['string', 'null'], format: 'uri-reference' },
  title: { type: ['string', 'null'] },
  status: { type: ['integer', 'null'] },
  detail: { type: ['string', 'null'] },
  instance: { type: ['string', 'null'], format: 'uri-reference' },
}

/** What each of them is, as the rest of a sentence. */
const texts: Readonly<Record<string, string>> = {
  type: 'a URI reference',
  title: 'a text',
  status: 'the status of the response',
  detail: 'a text',
  instance: 'a URI reference',
}

let validate: Validate | null = null

/**
 * What problem details break, whatever their schema says. `unfit`: what they break of their schema, which is told already. One violation tells
 * of all members.
 */
export const problemViolations = (
  value: Json,
  status: number,
  unfit: readonly SchemaViolation[],
): readonly BodyViolation[] => {
  if (!isObject(value))
    return unfit.length > 0
      ? []
      : [
          violation(
            'an object with problem details',
            shortValue(value),
            'with problem details that are no object',
          ),
        ]
  validate ??= compileSchema({ type: 'object', properties: members })
  const wrong = validate(value).map(({ at }) => at.slice(1))
  const said = value.status
  if (said !== undefined && isNumber(said) && Number(numberText(said)) !== status) wrong.push('status')
  const name = wrong.find(each => !unfit.some(({ at }) => at === step('', each)))
  if (name === undefined) return []
  const given = shortValue(value[name] as Json)
  return [
    violation(
      `\`${name}\` as ${texts[name]}${name === 'status' ? `: ${status}` : ''}`,
      given,
      `with ${shortText(given)} as \`${name}\` of its problem details, which is not ${texts[name]}`,
      name,
    ),
  ]
}

const violation = (expected: string, actual: string, title: string, kind?: string): BodyViolation => ({
  aspect: { aspect: 'problem' },
  expected,
  actual,
  title,
  ...(kind === undefined ? {} : { kind }),
})
