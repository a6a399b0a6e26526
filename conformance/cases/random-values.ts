import { createSampler, type Generator } from '../../generator/index.ts'
import type { Json } from '../../spec/index.ts'
import { withFiles } from './files.ts'
import type { OperationModel } from './operation-model.ts'

/** This many cases share a background, because generating values takes most of the time of planning. */
const casesPerBackground = 8

/** Random valid values of one operation, as sequences; undefined if none can be generated. */
export type RandomValues = {
  readonly body: (index: number) => Json | undefined
  /** A body by case number, the same for neighbouring cases: they test something else in it. */
  readonly background: (number: number) => Json | undefined
  readonly parameter: (name: string, index: number) => Json | undefined
}

export const createRandomValues = (model: OperationModel, seed: number): RandomValues => {
  const { bodyGenerator, parameters } = model
  const streams = new Map<string, (number: number) => Json | undefined>()
  const draw = (key: string, generator: () => Generator | null, number: number): Json | undefined => {
    const stream = streams.get(key) ?? streamOf(generator(), seed, key)
    streams.set(key, stream)
    return stream(number)
  }
  const filled = (body: Json | undefined): Json | undefined =>
    body === undefined ? undefined : withFiles(model, body)
  return {
    body: index => filled(draw('body', bodyGenerator, index)),
    background: number => filled(draw('background', bodyGenerator, Math.floor(number / casesPerBackground))),
    parameter: (name, index) => {
      const model = parameters.find(({ parameter }) => parameter.name === name)
      return model === undefined ? undefined : draw(`parameter ${name}`, model.generator, index)
    },
  }
}

const streamOf = (generator: Generator | null, seed: number, key: string) =>
  generator === null || 'unsupported' in generator.valid
    ? () => undefined
    : createSampler(generator.valid, seed, key)
