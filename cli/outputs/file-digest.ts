import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** The SHA-256 of a file in hexadecimal, however large it is. */
export const digestOfFile = (path: string): string => {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer))
      hash.update(buffer.subarray(0, length))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
