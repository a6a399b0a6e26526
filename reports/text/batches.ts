/**
 * Characters that are written at a time: fewer would cost a call to the system each, and texts of more than 128 KB are freed late: of
 * reports of hundreds of megabytes as much again would be held for nothing.
 */
export const batchLength = 32 * 1024

/** The same text in fewer parts. */
export function* inBatches(parts: Iterable<string>): Generator<string> {
  let held = ''
  for (const part of parts) {
    held += part
    if (held.length < batchLength) continue
    yield held
    held = ''
  }
  if (held !== '') yield held
}
