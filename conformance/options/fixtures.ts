import type { Json } from '../../spec/index.ts'
import type { OperationExamples } from '../cases/operation-model.ts'

/** By operation, where the name of what it creates is: a JSON pointer into the response, or else into the request. */
export type CreatedNames = Readonly<Record<string, string>>

/** Values that exist, by `operation.parameter`, or by `*.parameter` for all operations that have one of this name. */
export type Fixtures = Readonly<Record<string, readonly Json[]>>

/** Values that requests were seen to have, by operation. */
export type Examples = Readonly<Record<string, OperationExamples>>
