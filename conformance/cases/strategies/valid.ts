import { withIdentity } from './edit-spec.ts'
import type { PlainSpec, Strategy, StrategyContext } from './strategy.ts'

/**
 * Valid requests: the plain one, then random ones and boundary values of the body's schema by turns; with all optional
 * parameters and with one of them by turns.
 */
export const validStrategy = (context: StrategyContext, plain: PlainSpec): Strategy => {
  const { model, values } = context
  const generator = model.bodyGenerator()
  const boundaries = generator?.boundaries ?? []
  const optional = model.parameters.flatMap(({ parameter: { name, required } }) => (required ? [] : [name]))
  const make: Strategy['make'] = (index, number) => {
    const spec = plain(number)
    if (index === 0) return spec
    const parameters = model.parameters.flatMap(({ parameter: { name, required } }) => {
      const isOmitted =
        !required && index % 2 === 1 && name !== optional[((index - 1) / 2) % (optional.length + 1)]
      const value = isOmitted ? undefined : values.parameter(name, index)
      return value === undefined ? [] : [[name, value] as const]
    })
    const whole = { ...spec, parameters: { ...spec.parameters, ...Object.fromEntries(parameters) } }
    if (spec.body === undefined) return whole
    const boundary = index % 2 === 0 ? boundaries[index / 2 - 1] : undefined
    const body = boundary ?? values.body(index) ?? spec.body
    return { ...whole, body: withIdentity(context, body, number) }
  }
  const isFixed = generator === null && model.parameters.length === 0
  return {
    size: isFixed ? 3 : Number.POSITIVE_INFINITY,
    edgeCases: 24,
    weight: 10,
    precondition: 'none',
    make,
  }
}
