/** The ledger has no such case, or not enough of it to send it again. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  readonly code = 'PLANTSTORE_REPLAY'
}

/** The address for callbacks cannot be listened on; the message is one line and says why. */
export class ListenerError extends Error {
  override readonly name = 'ListenerError'
  readonly code = 'PLANTSTORE_LISTENER'
}

/** A shard result that cannot be read, or shard results that cannot be merged; the message is one line and says why. */
export class ShardError extends Error {
  override readonly name = 'ShardError'
  readonly code = 'PLANTSTORE_SHARD'
}

/** A token source that gives no usable token; the message is one line and says why. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly code = 'PLANTSTORE_TOKEN'
}
