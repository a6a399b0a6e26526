import type { Obligation, ObligationId, Outcome, StatusPolicy, ValueLocation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Sent } from '../send/lost-connections.ts'
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
  /** What it requires; absent if it limits values. */
  readonly requires?: readonly ValueLocation[]
  /** The id of an obligation whose failure says it better; absent if there is none. */
  readonly isToldBy?: ObligationId
  /** Whether another value of the same property is accepted. */
  readonly isOfValue?: boolean
  /** Whether a value is rejected only beside others. */
  readonly isCombined?: boolean
  /** Whether the request is accepted without what the rule is about, and is of the kind that its case is about all the same. */
  readonly isMet?: boolean
  /** The server's answer, if it gives that to any valid request, and nobody knows why. */
  readonly answer?: string
}

/**
 * What a failed valid request was rejected for: what its `case` is about, as far as anybody knows; a `rule` of the server's own; or
 * nothing that its case is about, as the `control`, the same request without that, is rejected alike; or nothing has the name that the
 * case has put into the path (`absence`). It is `unknown` if there was no time to ask.
 */
export type Blame =
  | { readonly kind: 'case' }
  | { readonly kind: 'rule'; readonly rule: UndocumentedRule }
  | { readonly kind: 'any'; readonly control: Sent }
  | { readonly kind: 'absence' }
  | { readonly kind: 'unknown' }

export type ResendOptions = {
  readonly model: OperationModel
  readonly sender: CaseSender
  readonly policy: StatusPolicy
  /** Whether the server keeps nothing, so that it makes no difference what a path names. */
  readonly stateless: boolean
  readonly budget: Budget
  /** Whether no other request is in flight meanwhile. */
  readonly isAlone: boolean
}

export type ConfirmOptions = ResendOptions & {
  readonly failedKindsOf: FailedKindsOf
  readonly blameOf: (incident: Incident, options: ResendOptions) => Promise<Blame>
  /** That any valid request is accepted; null if that is not asked. */
  readonly any: Obligation | null
  /** Whether the server has accepted one. */
  readonly hasAccepted: boolean
  /** The share of the requests of the operation that had this outcome. */
  readonly shareOf: (outcome: Outcome) => number
}

/** Requests that may still be sent to confirm and to minimise, and whether there is no time left for them. */
export type Budget = {
  left: number
  readonly isOver: () => boolean
  /** The same requests, with this share of the time that is left. */
  readonly share: (share: number) => Budget
}
