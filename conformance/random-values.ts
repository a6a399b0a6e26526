import type { Json } from '../spec/index.ts'
import type { Model } from './model.ts'
import { createSampler } from './sample.ts'
import type { Generator } from './schema/index.ts'

/** Random valid values of one operation, one for each case number; undefined where none can be made. */
export type RandomValues = {
  readonly body: (number: number) => Json | undefined
  readonly parameter: (name: string, number: number) => Json | undefined
}

export const createRandomValues = ({ bodyGenerator, parameters }: Model, seed: number): RandomValues => {
  const streams = new Map<string, (number: number) => Json | undefined>()
  const draw = (key: string, generator: () => Generator | null, number: number): Json | undefined => {
    const stream = streams.get(key) ?? streamOf(generator(), seed, key)
    streams.set(key, stream)
    return stream(number)
  }
  return {
    body: number => draw('body', bodyGenerator, number),
    parameter: (name, number) => {
      const own = parameters.find(({ parameter }) => parameter.name === name)
      return own === undefined ? undefined : draw(`parameter ${name}`, own.generator, number)
    },
  }
}

const streamOf = (generator: Generator | null, seed: number, key: string) =>
  generator === null || 'refused' in generator.valid
    ? () => undefined
    : createSampler(generator.valid, seed, key)
