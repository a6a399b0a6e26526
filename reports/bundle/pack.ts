import { unzipSync, zipSync } from 'fflate'

export type PackedFile = { readonly name: string; readonly bytes: Uint8Array }

/** How the files of a bundle are put together: the same files, packed by the same version, give the same bytes. */
export const packing = 'zip, deflate 6, fflate 0.8.3'

/** The most that a bundle may hold, in bytes and in files: enough for a million cases, and harmless to read. */
export const mostBytes = 400 * 1024 * 1024
const mostFiles = 200

/** A zip that is no bundle, or one that would do harm. The message is one line. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
}

/** Packs files in their order. Throws BundleError where they are more than `unpack` would take. */
export const pack = (files: readonly PackedFile[]): Uint8Array => {
  const sum = files.reduce((total, { bytes }) => total + bytes.length, 0)
  if (sum > mostBytes || files.length > mostFiles)
    throw new BundleError(`a bundle holds at most ${limits}, and these are more: take fewer --cases`)
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), {
    level: 6,
    // The first day that a zip can tell, in the local time that it is written in: the same everywhere.
    mtime: new Date(1980, 0, 1),
  })
}

const limits = `${mostFiles} files and ${mostBytes / 1024 / 1024} MiB`

// No path leads out of a folder, is hidden, or means something to a system or to JavaScript.
const goodName = /^(?:[A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/

/**
 * Reads a zip in memory; nothing of it is ever written to disk. Throws BundleError where it is none, where a name in it
 * is not one of a bundle or stands there twice (also in another case), and where it would unfold to more than `mostBytes`.
 */
export const unpack = (zip: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const seen = new Map<string, string>()
  let sum = 0
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize, compression }) => {
        if (!goodName.test(name) || name.length > 100)
          throw new BundleError(`${shown(name)} is no name of a file in a bundle`)
        const twin = seen.get(name.toLowerCase())
        if (twin !== undefined) throw new BundleError(`${shown(name)} is in it twice (as ${shown(twin)})`)
        seen.set(name.toLowerCase(), name)
        sum += originalSize
        if (sum > mostBytes || seen.size > mostFiles)
          throw new BundleError(`it unfolds to more than ${limits}, from ${shown(name)} on`)
        if (compression !== 8 && compression !== 0)
          throw new BundleError(`${shown(name)} is packed in a way that no bundle is`)
        return true
      },
    })
    return new Map(Object.entries(files))
  } catch (error) {
    if (error instanceof BundleError) throw error
    const last = [...seen.values()].at(-1)
    throw new BundleError(
      last === undefined
        ? 'it is no zip, or its directory is damaged'
        : `it cannot be unpacked: ${shown(last)} is damaged`,
    )
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100))

/** The file that a byte of a packed zip belongs to; null: the zip's own directory at its end. */
export const fileAt = (zip: Uint8Array, offset: number): string | null => {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let at = 0; at + 30 <= zip.length && view.getUint32(at, true) === 0x04034b50; ) {
    const name = view.getUint16(at + 26, true)
    const end = at + 30 + name + view.getUint16(at + 28, true) + view.getUint32(at + 18, true)
    if (offset < end) return new TextDecoder().decode(zip.subarray(at + 30, at + 30 + name))
    at = end
  }
  return null
}
