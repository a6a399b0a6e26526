type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

/**
 * Reads the body of a request up to a limit, and stops as soon as it is known to be larger. Null: there is no body. POST
 * and PUT without one have an empty one, as over HTTP they have `Content-Length: 0` (Fetch standard,
 * HTTP-network-or-cache fetch).
 */
export const readFetchBody = async (request: Request, maxBodyBytes: number): Promise<Body> => {
  const none: Body = { body: hasLength(request.method) ? new Uint8Array() : null, tooLarge: false }
  if (request.body === null) return none
  const reader = request.body.getReader()
  const giveUp = (): Body => {
    // Not awaited: the body of a cloned request is cancelled only together with that of the other one.
    reader.cancel().catch(() => {})
    return { body: null, tooLarge: true }
  }
  if (Number(request.headers.get('content-length')) > maxBodyBytes) return giveUp()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size === 0 ? none : { body: joined(chunks, size), tooLarge: false }
    chunks.push(value)
    size += value.length
    if (size > maxBodyBytes) return giveUp()
  }
}

const hasLength = (method: string): boolean => method === 'POST' || method === 'PUT'

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
