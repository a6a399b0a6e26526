/** The copy of a body that goes through; it never has more than the limit. */
export type Copy = {
  readonly add: (chunk: Uint8Array) => void
  /** The chunks so far, whole as long as the body is not too large. */
  readonly chunks: () => readonly Uint8Array[]
  /** The bytes; the first chunk alone if the body is too large. */
  readonly bytes: () => Uint8Array
  readonly isTooLarge: () => boolean
}

export const createCopy = (maxBytes: number): Copy => {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add: chunk => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      // What is not judged need not be held.
      else if (chunks.length > 1) chunks = chunks.slice(0, 1)
    },
    chunks: () => chunks,
    bytes: () => (chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
    isTooLarge: () => size > maxBytes,
  }
}
