import { createHash } from 'node:crypto'

/**
 * The seed of a run that was given a nonce and no seed: the first 31 bits of the SHA-256 of the nonce in UTF-8. Whoever gave the nonce
 * can compute it with any tool, and nobody could choose the requests before the nonce was known.
 */
export const seedOfNonce = (nonce: string): number =>
  createHash('sha256').update(nonce).digest().readUInt32BE(0) >>> 1
