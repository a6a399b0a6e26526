import { labelOf } from '../correlation-label.ts'
import { plainParameters } from './plain-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Valid requests that have one parameter in the query each, written in percent-escapes. */
export const queryEscapesStrategy = ({ model }: StrategyContext, plain: PlainSpec): Strategy => {
  const inQuery = model.parameters.filter(({ parameter }) => parameter.in === 'query')
  return finiteStrategy(Math.max(2, inQuery.length), (index, number) => {
    const each = inQuery[index % inQuery.length]
    if (each === undefined) return null
    const spec = plain(number)
    const value = plainParameters(each)(labelOf(number), number)
    return { ...spec, parameters: { ...spec.parameters, [each.parameter.name]: value }, queryEscapes: true }
  })
}
