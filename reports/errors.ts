/** A file that is not a ledger, or a damaged one. The message is one line and names the line of the file. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly code = 'PLANTSTORE_LEDGER'
}

/** A zip that is not a bundle, or a harmful one. The message is one line. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
  readonly code = 'PLANTSTORE_BUNDLE'
}

/** A file that is no record of traffic, or a damaged one. The message is one line and names the place. */
export class TrafficError extends Error {
  override readonly name = 'TrafficError'
  readonly code = 'PLANTSTORE_TRAFFIC'
}
