import type { Headers } from '../../../spec/index.ts'
import { chance, digest, uuidFrom } from '../../chance/hash.ts'

/** Values by the grammar of a header (RFC 9110 and others), as made-up words are none. `cookie`: the name of the document's own. */
const headers: Readonly<Record<string, (seed: string, cookie: string) => string>> = {
  etag: seed => `"${digest(seed).slice(0, 16)}"`,
  'last-modified': seed => httpDate(2024, seed),
  expires: seed => httpDate(2030, seed),
  'set-cookie': (seed, cookie) => `${cookie}=${digest(seed).slice(0, 32)}; Path=/; HttpOnly; SameSite=Lax`,
  link: () => '</>; rel="self"',
  'cache-control': () => 'private, max-age=60',
  'content-disposition': () => 'attachment; filename="download"',
  'content-language': () => 'en',
  'accept-ranges': () => 'bytes',
  'retry-after': () => '30',
  age: seed => String(chance(seed) % 60),
  vary: () => 'Accept',
  allow: () => 'GET, HEAD, OPTIONS',
  'x-request-id': seed => uuidFrom(digest(seed)),
  'x-correlation-id': seed => uuidFrom(digest(seed)),
}

/**
 * The headers with values that those who know them can read; the others as they are. `isFree`: whether a header may have a value, and
 * no example of the document says which.
 */
export const withLikelyHeaders = (
  lines: Headers,
  seed: string,
  cookie: string,
  isFree: (name: string, value: string) => boolean,
): Headers =>
  lines.map(([name, value]) => {
    const made = headers[name.toLowerCase()]?.(`${seed} ${name.toLowerCase()}`, cookie)
    return [name, made !== undefined && isFree(name, made) ? made : value] as const
  })

const httpDate = (year: number, seed: string): string => {
  const seconds = chance(seed) % (365 * 86_400)
  return new Date(Date.UTC(year, 0, 1) + seconds * 1000).toUTCString()
}
