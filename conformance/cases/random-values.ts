import { createSampler, type Generator } from '../../generator/index.ts'
import type { Json } from '../../spec/index.ts'
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

export const createRandomValues = (
  { bodyGenerator, parameters }: OperationModel,
  seed: number,
): RandomValues => {
  const streams = new Map<string, (number: number) => Json | undefined>()
  const draw = (key: string, generator: () => Generator | null, number: number): Json | undefined => {
    const stream = streams.get(key) ?? streamOf(generator(), seed, key)
    streams.set(key, stream)
    return stream(number)
  }
  return {
    body: index => draw('body', bodyGenerator, index),
    background: number => draw('background', bodyGenerator, Math.floor(number / casesPerBackground)),
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
