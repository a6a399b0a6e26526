import type { Obligation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { CaseSender } from '../send/case-sender.ts'

/** What the supply needs of an operation. */
export type Maker = {
  readonly model: OperationModel
  readonly sender: CaseSender
  /** That any valid request is accepted; undefined if none can be made. */
  readonly valid: Obligation | undefined
}

export type Missing = { readonly missing: string }
