/** How long a server takes from the start of its process to its first response. */
export type Work = { readonly target: string; readonly method: 'GET' | 'POST'; readonly body?: string }

/** The plant store's only operation. */
export const plantWork: Work = {
  target: '/plants',
  method: 'POST',
  body: '{"id":4711,"name":"Monstera deliciosa","tag":"indoor"}',
}

/** Milliseconds from `start`, on the clock of `performance.now`, to the first response with status 200. */
export const untilReady = async (
  url: string,
  { target, method, body }: Work,
  start: number,
): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench-token' }
  for (;;) {
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    const response = await fetch(url + target, request).catch(() => null)
    if (response?.status === 200) return performance.now() - start
    if (response !== null)
      throw new Error(`${url}${target} answers ${response.status}: ${await response.text()}`)
    if (performance.now() - start > 60_000) throw new Error('no response within a minute')
    await new Promise(resolve => setTimeout(resolve, 3))
  }
}
