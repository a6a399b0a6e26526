/** A hash of 53 bits (cyrb53). */
export const hashOf = (input: string | Uint8Array, seed = 0): number => {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let at = 0; at < input.length; at++) {
    const unit = typeof input === 'string' ? input.charCodeAt(at) : (input[at] as number)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}

/** 39 hexadecimal digits that follow from a text; node:crypto does not exist in browsers. */
export const digest = (text: string): string =>
  [0, 1, 2].map(round => hashOf(text, round).toString(16).padStart(13, '0').slice(-13)).join('')

/** A number below 2^48 that follows from a digest. */
export const chanceOf = (hex: string): number => Number.parseInt(hex.slice(0, 12), 16)

/** A number below 2^48 that follows from a text. */
export const chance = (text: string): number => hashOf(text) % 2 ** 48

/** A UUID of version 4, variant 1 (RFC 9562). */
export const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`

/** Lower-case letters and digits that follow from a text, a letter first; at most 20. */
export const codeFrom = (text: string, length: number): string => {
  const letters = [0, 1, 2].map(round => hashOf(text, round).toString(36).padStart(8, 'x').slice(-8)).join('')
  return `${'abcdefghjkmnprstuvwxyz'[hashOf(text, 3) % 22]}${letters}`.slice(0, length)
}
