import { createHash } from 'node:crypto'

/** A hexadecimal name derived from these parts: the same parts always give the same name. */
export const nameFrom = (...parts: readonly string[]): string =>
  createHash('sha256').update(textOf(parts)).digest('hex')

// The namespace of the names that this product derives.
const namespace = Buffer.from('6d1f3a0c9c5e5b7e8a4d2f60b3c79e11', 'hex')

/** The same as a UUID of version 5 (RFC 9562 5.5), for formats that require one; some know no later version. */
export const uuidFrom = (...parts: readonly string[]): string => {
  const hex = createHash('sha1').update(namespace).update(textOf(parts)).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const textOf = (parts: readonly string[]): string => JSON.stringify(parts.map(part => part.toWellFormed()))
