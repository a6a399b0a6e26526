import type { Json } from '../../spec/index.ts'

/** Values that exist, by `operation.parameter`, or by `*.parameter` for all operations that have one of this name. */
export type Fixtures = Readonly<Record<string, readonly Json[]>>
