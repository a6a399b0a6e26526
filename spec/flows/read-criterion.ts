import { isTable } from '../openapi/walk-references.ts'
import type { ArazzoDocument, At } from './arazzo-document.ts'
import { parseCondition } from './condition.ts'
import type { Criterion } from './flow.ts'

export const readCriterion = ({ tableAt, fail }: ArazzoDocument, { value, at }: At<unknown>): Criterion => {
  const { condition, context, type } = tableAt(value, at, 'a criterion')
  if (typeof condition !== 'string') return fail('the criterion has no `condition`', at)
  const name = isTable(type) ? type.type : (type ?? 'simple')
  const criterion = { context: typeof context === 'string' ? context : null, condition }
  if (name === 'simple') {
    try {
      parseCondition(condition)
    } catch (error) {
      return fail(
        `the condition ${JSON.stringify(condition)} cannot be read: ${(error as Error).message}`,
        at,
      )
    }
    return { kind: 'simple', ...criterion }
  }
  if (name !== 'regex' && name !== 'jsonpath' && name !== 'xpath')
    return fail(
      `criteria of type ${String(name)} are not supported: use simple, regex, jsonpath or xpath`,
      at,
    )
  if (criterion.context === null) return fail(`a criterion of type ${name} needs a \`context\``, at)
  if (name === 'regex')
    try {
      new RegExp(condition, 'u')
    } catch (error) {
      return fail(`${condition} is no regular expression: ${(error as Error).message}`, at)
    }
  return { kind: name, ...criterion }
}
