export { compileGenerator, type Generator } from './generator.ts'
export type { Schema, SchemaObject } from './read/keywords.ts'
export { type Sample, type SampleOptions, sampleSchema } from './sample-schema.ts'
export type { ViolationTarget } from './violate/targets.ts'
