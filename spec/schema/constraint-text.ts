/** A constraint of a schema as a predicate: «be an integer», «have at most 5 items». */
export const constraintText = (keyword: string, constraint: unknown): string => {
  const limit = shortConstraint(constraint)
  const text = texts[keyword]
  if (text !== undefined) return text(limit, constraint)
  return typeof constraint === 'object' || typeof constraint === 'boolean'
    ? `satisfy \`${keyword}\``
    : `satisfy \`${keyword}\` ${limit}`
}

const texts: Readonly<Record<string, (limit: string, constraint: unknown) => string>> = {
  type: (_limit, types) =>
    `be ${[types]
      .flat()
      .map(type => article(String(type)))
      .join(' or ')}`,
  format: (_limit, format) => `be ${article(String(format))}`,
  enum: (_limit, members) =>
    `be one of ${cutConstraint((members as readonly unknown[]).map(member => JSON.stringify(member)).join(', '))}`,
  const: limit => `be ${limit}`,
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  exclusiveMinimum: limit => `be above ${limit}`,
  exclusiveMaximum: limit => `be below ${limit}`,
  multipleOf: limit => `be a multiple of ${limit}`,
  minLength: limit => `have at least ${counted(limit, 'character')}`,
  maxLength: limit => `have at most ${counted(limit, 'character')}`,
  pattern: (_limit, pattern) => `match \`${cutConstraint(String(pattern))}\``,
  minItems: limit => `have at least ${counted(limit, 'item')}`,
  maxItems: limit => `have at most ${counted(limit, 'item')}`,
  items: () => 'have no items beyond `prefixItems`',
  uniqueItems: () => 'have no equal items',
  minProperties: limit => `have at least ${counted(limit, 'property', 'properties')}`,
  maxProperties: limit => `have at most ${counted(limit, 'property', 'properties')}`,
  anyOf: () => 'fit an alternative of `anyOf`',
  oneOf: () => 'fit exactly one alternative of `oneOf`',
  not: () => 'not fit the schema of `not`',
  additionalProperties: (_limit, schema) => propertiesText('additionalProperties', schema),
  unevaluatedProperties: (_limit, schema) => propertiesText('unevaluatedProperties', schema),
}

/** What a value does that fits two alternatives of `oneOf`. */
export const twoText = (fits: readonly string[]): string =>
  `fits two alternatives of \`oneOf\`: ${fits.join(' and ')}`

const propertiesText = (keyword: string, schema: unknown): string =>
  schema === false ? 'have no undeclared properties' : `satisfy \`${keyword}\``

/** «1 item», «2 items» */
export const counted = (limit: string, one: string, many = `${one}s`): string =>
  `${limit} ${limit === '1' ? one : many}`

/** «an object», «a uuid»; null has no article. */
export const article = (noun: string): string =>
  noun === 'null' ? noun : /^(?:[aeio]|u(?!uid|ri|s[ae]|ni[ot]))/i.test(noun) ? `an ${noun}` : `a ${noun}`

/** A constraint as JSON, cut to a readable length. */
export const shortConstraint = (constraint: unknown): string =>
  cutConstraint(JSON.stringify(constraint) ?? '')

export const cutConstraint = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
