import type { RequestSpec } from '../case.ts'
import { conditionsOf } from '../conditions/conditions.ts'
import type { Row } from '../conditions/pair-array.ts'
import { labelOf } from '../correlation-label.ts'
import { withAllOptional } from '../with-optional.ts'
import type { PlainSpec, Strategy, StrategyContext } from './strategy.ts'

/** Requests in which extremes of strings meet each other, and every other condition. */
export const combinedStrategy = (context: StrategyContext, plain: PlainSpec): Strategy => {
  const conditions = conditionsOf(context.model)
  const rows = conditions.extreme()
  const combined = combinedRequests(context, plain)
  const rowAt = (index: number): Row => rows[index % rows.length] ?? []
  return {
    size: rows.length,
    weight: 0,
    precondition: 'none',
    preconditionOf: index => conditions.preconditionOf(rowAt(index)),
    make: (index, number) => combined(rowAt(index), number),
  }
}

/** Makes the request of a row of conditions. */
export const combinedRequests = (context: StrategyContext, plain: PlainSpec) => {
  const { model, identities } = context
  return (row: Row, number: number): RequestSpec => {
    const fresh =
      identities === null
        ? null
        : { name: identities.name, value: identities.at(number), text: identities.text(number) }
    const whole = withAllOptional(model, plain(number), number)
    return conditionsOf(model).apply(whole, row, labelOf(number), fresh)
  }
}
