import type { Draft } from '../case.ts'
import { createSampler } from '../sample.ts'
import { withIdentity } from './base.ts'
import type { Maker, MakerContext } from './maker.ts'

/** Valid requests: the plain one, the boundaries of the body's schema, then random ones. */
export const validMaker = (context: MakerContext, id: string, base: (number: number) => Draft): Maker => {
  const { model, seed } = context
  const generator = model.bodyGenerator()
  const boundaries = generator?.boundaries ?? []
  const random =
    generator === null || 'refused' in generator.valid ? null : createSampler(generator.valid, seed, id)
  const parameters = model.parameters.map(({ parameter, generator: compiled }) => {
    const valid = compiled()?.valid
    const sample =
      valid === undefined || 'refused' in valid ? null : createSampler(valid, seed, `${id} ${parameter.name}`)
    return { name: parameter.name, required: parameter.required, sample }
  })
  const make = (index: number, number: number): Draft => {
    const draft = base(number)
    if (index === 0) return draft
    const values = parameters.flatMap(({ name, required, sample }) => {
      const value = sample?.(index)
      return value === undefined || (!required && index % 2 === 1) ? [] : [[name, value] as const]
    })
    const whole = { ...draft, parameters: { ...draft.parameters, ...Object.fromEntries(values) } }
    if (draft.body === undefined) return whole
    const body = boundaries[index - 1] ?? random?.(index) ?? draft.body
    return { ...whole, body: withIdentity(context, body, number) }
  }
  const size = generator === null && parameters.length === 0 ? 3 : Number.POSITIVE_INFINITY
  return { size, weight: 10, lane: 'any', make }
}
