/** `plantstore-contract/generator`: values for a JSON Schema. */
export { type Sample, type SampleOptions, sampleSchema } from './index.ts'
