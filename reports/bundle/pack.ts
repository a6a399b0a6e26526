import { unzipSync, zipSync } from 'fflate'
import { BundleError } from '../errors.ts'

export type PackedFile = { readonly name: string; readonly bytes: Uint8Array }

/** How a bundle is packed: the same files, packed by the same version, give the same bytes. */
export const packing = 'zip, deflate 6, fflate 0.8.3'

/** The most bytes that a bundle may hold: enough for a million cases, and harmless to read. */
export const mostBytes = 400 * 1024 * 1024
const mostFiles = 200

/** Packs files in their order. Throws BundleError if they are more than `unpack` accepts. */
export const pack = (files: readonly PackedFile[]): Uint8Array => {
  const sum = files.reduce((total, { bytes }) => total + bytes.length, 0)
  if (sum > mostBytes || files.length > mostFiles)
    throw new BundleError(`too large for a bundle, which holds at most ${limits}: run fewer --cases`)
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), {
    level: 6,
    // The first day that a zip can hold. Zips are written in local time, so this gives the same bytes everywhere.
    mtime: new Date(1980, 0, 1),
  })
}

const limits = `${mostFiles} files and ${mostBytes / 1024 / 1024} MiB`

// No path leaves the folder, is hidden, or has a meaning to an operating system or to JavaScript.
const goodName = /^(?:[A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/

/**
 * Reads a zip in memory, never writing anything to disk. Throws BundleError if it is not a zip, if a name in it is not one
 * of a bundle or occurs twice (also in another case), and if it would unpack to more than `mostBytes`.
 */
export const unpack = (zip: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const seen = new Map<string, string>()
  let sum = 0
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize, compression }) => {
        if (!goodName.test(name) || name.length > 100)
          throw new BundleError(`${quoted(name)} is not the name of a file in a bundle`)
        const twin = seen.get(name.toLowerCase())
        if (twin !== undefined) throw new BundleError(`${quoted(name)} occurs twice (as ${quoted(twin)})`)
        seen.set(name.toLowerCase(), name)
        sum += originalSize
        if (sum > mostBytes || seen.size > mostFiles)
          throw new BundleError(`it unpacks to more than ${limits}, from ${quoted(name)} on`)
        if (compression !== 8 && compression !== 0)
          throw new BundleError(`${quoted(name)} is compressed in a way that no bundle uses`)
        return true
      },
    })
    return new Map(Object.entries(files))
  } catch (error) {
    if (error instanceof BundleError) throw error
    const last = [...seen.values()].at(-1)
    throw new BundleError(
      last === undefined
        ? 'it is not a zip, or its directory is damaged'
        : `it cannot be unpacked: ${quoted(last)} is damaged`,
    )
  }
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100))

/** The file that a byte of a packed zip belongs to; null if it belongs to the directory at the end. */
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
