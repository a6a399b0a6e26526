import type { StatusPolicy } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { FailedKindsOf } from './failed-kinds.ts'

/**
 * A rule of the server that its document does not have, for which it rejects valid requests whatever they are about. `key`: the same for
 * the same rule of an operation.
 */
export type UndocumentedRule = {
  readonly key: string
  /** The keys of the rules for each of its values, if there are several. */
  readonly parts: readonly string[]
  readonly title: string
  readonly hint: string
  /** The id of an obligation whose failure says it better; absent if there is none. */
  readonly isToldBy?: string
  /** Whether a value is rejected only beside others. */
  readonly isCombined?: boolean
}

export type ResendOptions = {
  readonly model: OperationModel
  readonly sender: CaseSender
  readonly policy: StatusPolicy
  readonly budget: Budget
}

export type ConfirmOptions = ResendOptions & {
  readonly failedKindsOf: FailedKindsOf
  /** Why a valid request is rejected, if not for what its case is about. */
  readonly ruleOf: RuleOf
}

export type RuleOf = (incident: Incident, options: ResendOptions) => Promise<UndocumentedRule | null>

/** Requests that may still be sent to confirm and to minimise, and whether there is no time left for them. */
export type Budget = { left: number; readonly isOver: () => boolean }
