export { compileGenerator, type Generator } from './generator.ts'
export type { Schema, SchemaObject } from './keywords.ts'
export { type Sample, type SampleOptions, sampleSchema } from './sample.ts'
export type { Target } from './targets.ts'
