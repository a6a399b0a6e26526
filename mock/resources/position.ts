import { isNumber, type Json, numberText } from '../../spec/index.ts'
import type { Asked } from '../engine/request.ts'
import type { ListRule, OperationRules } from '../rules/list-rule.ts'
import { defaultOf } from './collections.ts'

/** Which part of a whole a request asks for. */
export type Position = {
  readonly offset: number
  /** Null: all that there is. */
  readonly size: number | null
  /** The number of the page, and of the first one. */
  readonly page: number
  readonly firstPage: number
}

type ListKind = Exclude<ListRule['kind'], 'filter'>

export const ruleOf = ({ query }: OperationRules, kind: ListKind): string | null =>
  query.find(rule => rule.kind === kind)?.parameter ?? null

/** What a request sent for a parameter, else its declared default. */
export const valueFor = (
  rules: OperationRules,
  { parameters }: Pick<Asked, 'parameters'>,
  name: string | null,
): Json | undefined => (name === null ? undefined : (parameters[name] ?? defaultOf(rules, name)))

/** A count of resources: a page 1.5 is the first, and there are none below zero. Null: the value is no number. */
export const countOf = (value: Json | undefined): number | null =>
  value === undefined
    ? null
    : isNumber(value)
      ? Math.min(Math.max(0, Math.floor(Number(numberText(value)))), Number.MAX_SAFE_INTEGER)
      : /^\d{1,15}$/.test(String(value))
        ? Number(value)
        : null

/** The rules by which a list comes in parts. */
export const pagedRules = ({ query }: OperationRules): readonly ListRule[] =>
  query.filter(({ kind }) => kind === 'size' || kind === 'page' || kind === 'offset' || kind === 'cursor')

const usualSize = 20

/** `indexOf`: of a resource by its name, as cursors may be names. */
export const positionOf = (
  rules: OperationRules,
  asked: Pick<Asked, 'parameters'>,
  indexOf: (name: Json) => number,
  documented: number,
): Position => {
  const numbered = (kind: ListKind): number | null => countOf(valueFor(rules, asked, ruleOf(rules, kind)))
  const isPaged = pagedRules(rules).length > 0
  const size = isPaged ? (numbered('size') ?? (documented > 0 ? documented : usualSize)) : null
  const firstPage = firstPageOf(rules)
  const page = Math.max(firstPage, numbered('page') ?? firstPage)
  const cursor = valueFor(rules, asked, ruleOf(rules, 'cursor'))
  const paged = (page - firstPage) * (size ?? 0)
  const offset = numbered('offset') ?? (cursor === undefined ? paged : cursorOffset(cursor, indexOf))
  return {
    offset,
    size,
    page:
      size !== null && size > 0 && ruleOf(rules, 'page') === null
        ? firstPage + Math.floor(offset / size)
        : page,
    firstPage,
  }
}

/** Pages count from 1, unless the document allows or declares a page 0. */
const firstPageOf = (rules: OperationRules): number => {
  const name = ruleOf(rules, 'page')
  const declared = countOf(defaultOf(rules, name ?? ''))
  if (declared !== null) return declared === 0 ? 0 : 1
  const parameter = rules.operation.parameters.find(
    candidate => candidate.name === name && candidate.in === 'query',
  )
  const least = parameter?.schema == null ? undefined : rules.contract.exact(`${parameter.schema}/minimum`)
  return least === 0 ? 0 : 1
}

/** A cursor that no schema of the document gives another form. */
export const cursorAt = (offset: number): string => `at${offset.toString(36).padStart(6, '0')}`

const cursorOffset = (cursor: Json, indexOf: (name: Json) => number): number => {
  const [, digits] = /^at([0-9a-z]{6})$/.exec(typeof cursor === 'string' ? cursor : '') ?? []
  if (digits !== undefined) return Number.parseInt(digits, 36)
  const index = indexOf(cursor)
  return index >= 0 ? index + 1 : (countOf(cursor) ?? 0)
}
