import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** A ledger of more bytes is compressed: it shrinks to a tenth or less. */
const large = 16 * 1024 * 1024
const chunkLength = 8 * 1024 * 1024

/** Both names that the ledger of a run can have. */
export const ledgerNames = ['ledger.ndjson', 'ledger.ndjson.gz'] as const

/** Moves the ledger of a run to its place, compressed if it is large. Returns its path. */
export const keepLedger = (part: string, path: string): string => {
  if (statSync(part).size <= large) {
    renameSync(part, path)
    return path
  }
  const packed = `${path}.gz`
  const packedPart = `${packed}.part`
  const [from, to] = [openSync(part, 'r'), openSync(packedPart, 'w')]
  const buffer = Buffer.alloc(chunkLength)
  try {
    // Compressed files one after the other are one (RFC 1952 2.2), so no more than a chunk is held.
    for (let length = readSync(from, buffer); length > 0; length = readSync(from, buffer))
      writeFileSync(to, gzipSync(buffer.subarray(0, length), { level: 4 }))
  } finally {
    closeSync(from)
    closeSync(to)
  }
  renameSync(packedPart, packed)
  rmSync(part)
  return packed
}
