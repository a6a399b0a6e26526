/** The options cannot be used, or not together; the message says which and what to do. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
  readonly code = 'PLANTSTORE_OPTION'
}

/** The mock cannot listen on the address, or not with this certificate; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code = 'PLANTSTORE_LISTEN'
}

/** A scenario cannot be used; each line of the message says what is wrong, where, and what to do. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code = 'PLANTSTORE_SCENARIO'
}

/** Seed data or a snapshot has what the contract does not allow there; the message says what is wrong, and `path` where. */
export class SeedDataError extends Error {
  override readonly name = 'SeedDataError'
  readonly code = 'PLANTSTORE_SEED_DATA'
  readonly path: readonly (string | number)[]

  constructor(message: string, path: readonly (string | number)[]) {
    super(message)
    this.path = path
  }
}

/** No obligation has this id, or the mock cannot break it; the message says why and what to do. */
export class MutantError extends Error {
  override readonly name = 'MutantError'
  readonly code = 'PLANTSTORE_MUTANT'
  /** Why the mock cannot break the obligation; null: there is no such obligation. */
  readonly reason: string | null

  constructor(message: string, reason: string | null) {
    super(message)
    this.reason = reason
  }
}

/** Neither the options nor the document name a URL that the paths of the contract are below. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
  readonly code = 'PLANTSTORE_SERVER'
}

/** A client broke the contract; the message has every violation, its reason and the request. */
export class DriftError extends Error {
  override readonly name = 'DriftError'
  readonly code = 'PLANTSTORE_DRIFT'

  constructor(message: string) {
    super(message)
    // The stack leads to the check and not to the client, and test runners would print the code around it.
    this.stack = `DriftError: ${message}`
  }
}
