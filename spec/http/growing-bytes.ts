/** Bytes that come in pieces. A list of the pieces would take a hundred times the memory if they are small. */
export type GrowingBytes = {
  /** How many bytes are announced. */
  readonly expect: (bytes: number) => void
  /** Adds a piece; the first one must not be changed afterwards. */
  readonly add: (piece: Uint8Array) => void
  readonly whole: () => Uint8Array
}

const leastCapacity = 16_384
/** An announcement may be a lie: it counts when so much has come. */
const trusted = 2 ** 18

const empty = new Uint8Array()

export const createGrowingBytes = (): GrowingBytes => {
  let expected = 0
  let bytes: Uint8Array = empty
  let size = 0
  return {
    expect: announced => {
      expected = announced
    },
    add: piece => {
      // Most bodies come in one piece, which need not be copied.
      if (size === 0) bytes = piece
      else {
        if (size + piece.length > bytes.length) {
          const grown = Buffer.allocUnsafeSlow(
            Math.max(size >= trusted ? expected : leastCapacity, size + piece.length, 2 * bytes.length),
          )
          grown.set(bytes.subarray(0, size))
          bytes = grown
        }
        bytes.set(piece, size)
      }
      size += piece.length
    },
    whole: () => (size === bytes.length ? bytes : bytes.subarray(0, size)),
  }
}
