import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { LedgerError, readEvents } from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'

/** Reads a ledger from disk, line by line: that of a large contract has hundreds of megabytes. Throws UsageError. */
export const ledgerFrom = (file: string): Ledger => {
  try {
    return foldLedger(readEvents(linesOf(file)))
  } catch (error) {
    if (error instanceof LedgerError) throw new UsageError(`${file} is not a ledger: ${error.message}`)
    throw error
  }
}

/** The bytes of a ledger, unpacked. Throws UsageError. */
export const ledgerBytes = (file: string): Uint8Array => {
  const bytes = reading(file, () => readFileSync(placeOf(file)))
  return isPacked(bytes) ? reading(file, () => gunzipSync(bytes)) : bytes
}

/** The SHA-256 of these bytes in hexadecimal. */
export const digestOfLedger = (file: string): string => {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Whoever names `ledger.ndjson` need not know that it is large. */
const placeOf = (file: string): string =>
  !existsSync(file) && existsSync(`${file}.gz`) ? `${file}.gz` : file

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const chunkLength = 1024 * 1024

function* linesOf(file: string): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for (const chunk of [chunksOf(file), [null]])
    for (const bytes of chunk) {
      const lines = (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true })).split('\n')
      lines[0] = `${rest}${lines[0]}`
      rest = lines.pop() ?? ''
      yield* lines
    }
  yield rest
}

function* chunksOf(file: string): Generator<Uint8Array> {
  const descriptor = reading(file, () => openSync(placeOf(file), 'r'))
  const buffer = Buffer.alloc(chunkLength)
  try {
    for (;;) {
      const length = reading(file, () => readSync(descriptor, buffer))
      const chunk = buffer.subarray(0, length)
      if (length === 0) return
      if (isPacked(chunk)) {
        const bytes = ledgerBytes(file)
        for (let at = 0; at < bytes.length; at += chunkLength) yield bytes.subarray(at, at + chunkLength)
        return
      }
      yield chunk
    }
  } finally {
    closeSync(descriptor)
  }
}

const reading = <T>(file: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give the ledger.ndjson of a run`,
    )
  }
}
