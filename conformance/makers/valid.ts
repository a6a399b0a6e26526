import type { Draft } from '../case.ts'
import { withIdentity } from './base.ts'
import type { Maker, MakerContext } from './maker.ts'

/**
 * Valid requests: the plain one, then random ones and the boundaries of the body's schema by turns; with all that is
 * optional beside the body and with one of it by turns.
 */
export const validMaker = (context: MakerContext, base: (number: number) => Draft): Maker => {
  const { model, values } = context
  const generator = model.bodyGenerator()
  const boundaries = generator?.boundaries ?? []
  const optional = model.parameters.flatMap(({ parameter: { name, required } }) => (required ? [] : [name]))
  const make = (index: number, number: number): Draft => {
    const draft = base(number)
    if (index === 0) return draft
    const parameters = model.parameters.flatMap(({ parameter: { name, required } }) => {
      const isLeft =
        !required && index % 2 === 1 && name !== optional[((index - 1) / 2) % (optional.length + 1)]
      const value = isLeft ? undefined : values.parameter(name, index)
      return value === undefined ? [] : [[name, value] as const]
    })
    const whole = { ...draft, parameters: { ...draft.parameters, ...Object.fromEntries(parameters) } }
    if (draft.body === undefined) return whole
    const boundary = index % 2 === 0 ? boundaries[index / 2 - 1] : undefined
    const body = boundary ?? values.body(index) ?? draft.body
    return { ...whole, body: withIdentity(context, body, number) }
  }
  const isFixed = generator === null && model.parameters.length === 0
  return { size: isFixed ? 3 : Number.POSITIVE_INFINITY, telling: 24, weight: 10, lane: 'any', make }
}
