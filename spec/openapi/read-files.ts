import { realpathSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { DocumentError } from '../errors.ts'
import { pathOf, shownFile } from './source-map.ts'

/** What the `$ref`s of a document may read beside its own folder, and how strictly it is read. */
export type RefOptions = {
  /** Whether `$ref`s to http(s) addresses are followed. */
  readonly networkRefs?: boolean | undefined
  /** The folder below which `$ref`s may read files. Default: that of the document; none if it comes from the network. */
  readonly refFolder?: string | undefined
  /** Files or http(s) URLs of OpenAPI overlays, which are applied to the document in this order. */
  readonly overlay?: readonly string[] | undefined
  /** Whether everything that is wrong with the document is an error. Default: only what makes all of it unusable. */
  readonly strictDocument?: boolean | undefined
}

/** In bytes: what is larger takes more memory than a description is worth. */
const maxBytes = 64 * 2 ** 20

const fetchTimeoutMs = 20_000

/** Whether a document is given by an http(s) URL instead of a path. */
export const isNetwork = (from: string): boolean => /^https?:\/\//i.test(from)

/**
 * Reads the files and addresses that are given, and those of `$ref`s if they may be read: a document from elsewhere must not be able to name files of its
 * reader, whose content would become part of requests to its author's server. Throws DocumentError without a place.
 */
export const createReader = (
  root: string,
  isGiven: (url: string) => boolean,
  { networkRefs = false, refFolder }: RefOptions,
  reads: (path: string) => void,
): ((url: string) => Promise<Uint8Array>) => {
  const folder = refFolder ?? (isNetwork(root) ? null : dirname(pathOf(root)))
  const rejection = (message: string): DocumentError => new DocumentError([{ message, place: null }])
  const readLocal = async (url: string): Promise<Uint8Array> => {
    const path = pathOf(url)
    reads(path)
    const shown = shownFile(url)
    if (!isGiven(url)) {
      if (folder === null)
        throw rejection(
          `the $ref to the file ${shown} is not followed, as the document comes from the network; name its folder with --ref-folder`,
        )
      if (!isBelow(path, folder))
        throw rejection(
          `the $ref to ${shown} is not followed, as it is outside the folder ${shownFile(resolve(folder)) || '.'}; name a folder that holds both with --ref-folder`,
        )
    }
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) throw rejection(`the file of this $ref cannot be read: ${shown}`)
    // What is given may come through a pipe.
    const isReadable = found.isFile() || (isGiven(url) && found.isFIFO())
    if (!isReadable) throw rejection(`${shown} is not a regular file`)
    if (found.size > maxBytes) throw rejection(tooLarge(shown))
    return readFile(path).catch(() => {
      throw rejection(`the file of this $ref cannot be read: ${shown}`)
    })
  }
  const readRemote = async (url: string): Promise<Uint8Array> => {
    if (!isGiven(url) && !networkRefs)
      throw rejection(`the network reference ${url} is not followed; allow it with --network-refs`)
    const failed = (error: Error): never => {
      if (error instanceof DocumentError) throw error
      throw rejection(
        `${url} cannot be fetched: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      )
    }
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) }).catch(failed)
    if (!response.ok) throw rejection(`${url} cannot be fetched: the server answers ${response.status}`)
    return bytesOf(response, () => rejection(tooLarge(url))).catch(failed)
  }
  return url => (isNetwork(url) ? readRemote(url) : readLocal(url))
}

const tooLarge = (name: string): string =>
  `${name} is larger than ${maxBytes / 2 ** 20} MiB: split it, or remove what does not describe the API`

/** Whether a path is below a folder, also after symbolic links. */
const isBelow = (path: string, folder: string): boolean => {
  const inside = relative(real(folder), real(path))
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside
}

const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

const bytesOf = async (response: Response, tooLong: () => Error): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong()
  }
  // A browser has no Buffer.
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
