import { article, counted, cutConstraint, shortConstraint } from '../../schema/constraint-text.ts'

/** «a string as `id` instead of an integer» */
export const typeInput = (wrong: string, location: string, types: readonly string[]): string =>
  `${wrong === 'numeral' ? 'a number in quotation marks' : article(wrong)} as ${location} instead of ${types.map(article).join(' or ')}`

/** A value that breaks a keyword, as a noun phrase: «a number above the maximum 100». */
export const keywordInput = (keyword: string, constraint: unknown): string => {
  const limit = keyword === 'pattern' ? cutConstraint(String(constraint)) : shortConstraint(constraint)
  const text = inputs[keyword]
  return text === undefined ? `a value that breaks \`${keyword}\` ${limit}` : text(limit)
}

const inputs: Readonly<Record<string, (limit: string) => string>> = {
  minimum: limit => `a number below the minimum ${limit}`,
  maximum: limit => `a number above the maximum ${limit}`,
  exclusiveMinimum: limit => `a number that is not above ${limit}`,
  exclusiveMaximum: limit => `a number that is not below ${limit}`,
  multipleOf: limit => `a number that is not a multiple of ${limit}`,
  minLength: limit => `a string of fewer than ${counted(limit, 'character')}`,
  maxLength: limit => `a string of more than ${counted(limit, 'character')}`,
  pattern: limit => `a string that does not match \`${limit}\``,
  minItems: limit => `a list of fewer than ${counted(limit, 'item')}`,
  maxItems: limit => `a list of more than ${counted(limit, 'item')}`,
  minProperties: limit => `an object with fewer than ${counted(limit, 'property', 'properties')}`,
  maxProperties: limit => `an object with more than ${counted(limit, 'property', 'properties')}`,
  enum: limit => `a value outside ${limit}`,
  const: limit => `a value other than ${limit}`,
  anyOf: () => 'a value that fits no alternative of `anyOf`',
  contains: limit => `a list without an item that fits ${limit}`,
  dependentRequired: limit => `an object without a property that another one requires (${limit})`,
  dependentSchemas: () => 'an object that breaks `dependentSchemas`',
  propertyNames: limit => `an object with a property name that breaks ${limit}`,
  not: () => 'a value that `not` forbids',
  if: () => 'a value that breaks `then` or `else`',
  unevaluatedItems: () => 'a list with an undeclared item',
}
