import type { Json } from '../spec/index.ts'
import type { Model } from './model.ts'
import { createSampler } from './sample.ts'
import type { Generator } from './schema/index.ts'

/** Cases that share a background: values are what takes most of the planning. */
const together = 8

/** Random valid values of one operation, as sequences; undefined where none can be made. */
export type RandomValues = {
  readonly body: (index: number) => Json | undefined
  /** By case number, the same for cases that stand together: what they test is something else. */
  readonly background: (number: number) => Json | undefined
  readonly parameter: (name: string, index: number) => Json | undefined
}

export const createRandomValues = ({ bodyGenerator, parameters }: Model, seed: number): RandomValues => {
  const streams = new Map<string, (number: number) => Json | undefined>()
  const draw = (key: string, generator: () => Generator | null, number: number): Json | undefined => {
    const stream = streams.get(key) ?? streamOf(generator(), seed, key)
    streams.set(key, stream)
    return stream(number)
  }
  return {
    body: index => draw('body', bodyGenerator, index),
    background: number => draw('background', bodyGenerator, Math.floor(number / together)),
    parameter: (name, index) => {
      const own = parameters.find(({ parameter }) => parameter.name === name)
      return own === undefined ? undefined : draw(`parameter ${name}`, own.generator, index)
    },
  }
}

const streamOf = (generator: Generator | null, seed: number, key: string) =>
  generator === null || 'refused' in generator.valid
    ? () => undefined
    : createSampler(generator.valid, seed, key)
