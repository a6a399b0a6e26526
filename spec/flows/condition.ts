import { isArray, isNumber, isObject, type Json, numberText, sameJson } from '../json/json.ts'
import { expressionValue, type Known, textOf } from './expression.ts'
import type { Criterion } from './flow.ts'
import { loadJsonPath, loadXPath, placesOfPath, xpathHolds } from './selector.ts'

/** Simple conditions of Arazzo (1.0.1 4.6.11): `$statusCode == 200 && $response.body#/status != 'closed'`. */

type Term = (known: Known) => Json | undefined

const operators = ['==', '!=', '<=', '>=', '<', '>'] as const
type Operator = (typeof operators)[number]

/** What a condition says of what is known. Throws Error with what is wrong with the text. */
export const parseCondition = (text: string): ((known: Known) => boolean) => {
  const tokens = tokensOf(text)
  let position = 0
  const take = (token: string): boolean => {
    if (tokens[position] !== token) return false
    position += 1
    return true
  }
  const expected = (what: string): never => {
    const found = tokens[position]
    throw new Error(`expected ${what}, and ${found === undefined ? 'it ends there' : `found ${found}`}`)
  }
  const either = (): Term => {
    const left = both()
    if (!take('||')) return left
    const right = either()
    return known => isTrue(left(known)) || isTrue(right(known))
  }
  const both = (): Term => {
    const left = comparison()
    if (!take('&&')) return left
    const right = both()
    return known => isTrue(left(known)) && isTrue(right(known))
  }
  const comparison = (): Term => {
    const left = unary()
    const operator = operators.find(take)
    if (operator === undefined) return left
    const right = unary()
    return known => compared(operator, left(known), right(known))
  }
  const unary = (): Term => {
    if (!take('!')) return accessed(operand())
    const inner = unary()
    return known => !isTrue(inner(known))
  }
  /** `[0]` and `.name` behind a value. */
  const accessed = (base: Term): Term => {
    let term = base
    for (;;) {
      const of = term
      if (take('[')) {
        const index = operand()
        if (!take(']')) expected('"]"')
        term = known => memberOf(of(known), index(known))
      } else if (tokens[position]?.startsWith('.')) {
        const name = (tokens[position] as string).slice(1)
        position += 1
        term = known => memberOf(of(known), name)
      } else return term
    }
  }
  const operand = (): Term => {
    if (take('(')) {
      const inner = either()
      if (!take(')')) expected('")"')
      return inner
    }
    const token = tokens[position]
    if (token === undefined) return expected('a value')
    position += 1
    if (token.startsWith('$')) return known => expressionValue(token, known)
    if (token.startsWith("'") || token.startsWith('"')) return constant(unquoted(token))
    if (Object.hasOwn(words, token)) return constant(words[token] as Json)
    if (/^-?\d/.test(token)) return constant(Number(token))
    position -= 1
    return expected("a value, such as $statusCode, 200 or 'text'")
  }
  const condition = either()
  if (position < tokens.length) expected('&&, || or the end')
  return known => isTrue(condition(known))
}

const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

const constant =
  (value: Json): Term =>
  () =>
    value

const token =
  /\s*(?:(&&|\|\||==|!=|<=|>=|[<>!()[\]])|(\$[\w.-]+(?:#[^\s()&|=!<>[\]]*)?)|('(?:[^']|'')*'|"[^"]*")|(-?\d+(?:\.\d+)?)|(true|false|null)\b|(\.[A-Za-z_][\w-]*))/y

const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = []
  token.lastIndex = 0
  for (let at = 0; at < text.trimEnd().length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) throw new Error(`nothing can be read at ${JSON.stringify(text.slice(at).trim())}`)
    tokens.push(found.slice(1).find(part => part !== undefined) as string)
  }
  return tokens
}

/** The runtime expressions of a condition that can be read. */
const expressionsIn = (condition: string): readonly string[] => [
  ...new Set(tokensOf(condition).filter(each => each.startsWith('$'))),
]

const unquoted = (text: string): string => text.slice(1, -1).replaceAll("''", "'")

const memberOf = (value: Json | undefined, key: Json | undefined): Json | undefined => {
  if (isArray(value)) {
    if (key === 'length') return value.length
    return typeof key === 'number' ? value[key] : undefined
  }
  return isObject(value) && typeof key === 'string' && Object.hasOwn(value, key) ? value[key] : undefined
}

const isTrue = (value: Json | undefined): boolean => Boolean(value)

/** What does not exist is equal to nothing but null. Texts compare without case, and with numbers as numbers. */
const compared = (operator: Operator, left: Json | undefined, right: Json | undefined): boolean => {
  if (operator === '==') return areEqual(left, right)
  if (operator === '!=') return !areEqual(left, right)
  const order = orderOf(left, right)
  if (order === null) return false
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

const areEqual = (left: Json | undefined, right: Json | undefined): boolean => {
  const order = orderOf(left, right)
  if (order !== null) return order === 0
  return sameJson(left ?? null, right ?? null)
}

const orderOf = (left: Json | undefined, right: Json | undefined): number | null => {
  const numbers = [numberOf(left), numberOf(right)] as const
  if (numbers[0] !== null && numbers[1] !== null && ![left, right].every(isText))
    return numbers[0] - numbers[1]
  if (!isText(left) || !isText(right)) return null
  const texts = [left.toLowerCase(), right.toLowerCase()] as const
  return texts[0] === texts[1] ? 0 : texts[0] < texts[1] ? -1 : 1
}

const isText = (value: Json | undefined): value is string => typeof value === 'string'

const numberOf = (value: Json | undefined): number | null => {
  if (value === undefined || value === null) return null
  if (isNumber(value)) return Number(numberText(value))
  return isText(value) && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null
}

/** The first of the criteria that does not hold; null if all do. Throws FlowError. */
export const firstUnmet = async (criteria: readonly Criterion[], known: Known): Promise<Criterion | null> => {
  for (const criterion of criteria) if (!(await holds(criterion, known))) return criterion
  return null
}

const holds = async ({ kind, context, condition }: Criterion, known: Known): Promise<boolean> => {
  if (kind === 'simple') return parseCondition(condition)(known)
  const value = expressionValue(context ?? '', known)
  if (value === undefined) return false
  if (kind === 'regex') return new RegExp(condition, 'u').test(textOf(value) ?? JSON.stringify(value))
  if (kind === 'xpath') {
    await loadXPath()
    return xpathHolds(condition, value)
  }
  await loadJsonPath()
  // The specification's own examples have filters such as $[?count(@.pets) > 0] for a body that is an object.
  return [value, [value]].some(of => placesOfPath(condition, of).length > 0)
}

/** A criterion as a user reads it: `$statusCode == 200`. */
export const criterionText = ({ context, condition }: Criterion): string =>
  context === null ? condition : `${context}: ${condition}`

/** What the expressions of a condition stand for: `$statusCode is 404`. Empty if it has none. */
export const valuesText = ({ context, condition }: Criterion, known: Known): string => {
  const expressions = context === null ? expressionsIn(condition) : [context]
  return expressions.map(each => `${each} is ${shown(expressionValue(each, known))}`).join(', ')
}

const shown = (value: Json | undefined): string => {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
