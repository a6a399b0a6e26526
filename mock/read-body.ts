import type { IncomingMessage } from 'node:http'

export type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

/** Reads a body up to a limit; `tooLarge` as soon as it is known to be larger. Null: there is none. */
export const readBody = (request: IncomingMessage, maxBodyBytes: number): Promise<Body> =>
  new Promise((resolve, reject) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined && encoding === undefined) {
      resolve({ body: null, tooLarge: false })
      return
    }
    if (Number(length) > maxBodyBytes) {
      resolve({ body: null, tooLarge: true })
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    const keep = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= maxBodyBytes) {
        chunks.push(chunk)
        return
      }
      request.off('data', keep)
      request.pause()
      resolve({ body: null, tooLarge: true })
    }
    request.on('data', keep)
    request.on('end', () =>
      resolve({ body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), tooLarge: false }),
    )
    request.on('error', reject)
    // An error takes longer to make than all the rest.
    request.on('close', () => {
      if (!request.complete) reject(new Error('the connection was closed before the body was whole'))
    })
  })
