type CallOptions = {
  readonly method?: string
  readonly body?: unknown
  /** JSON to send as it is written, instead of `body`. */
  readonly json?: string
  readonly client?: string
}

/**
 * Calls the mock's admin API; `path` is relative to `/__plantstore/`. Throws an error with the message that the mock
 * responds with. `client`: the client that the call is about; empty: all.
 */
export const callMock = async <T>(path: string, options?: CallOptions): Promise<T> => {
  const text = await callMockText(path, options)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const callMockText = async (
  path: string,
  { method = 'GET', body, json = JSON.stringify(body), client = '' }: CallOptions = {},
): Promise<string> => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(client === '' ? {} : { 'Plantstore-Client': client }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: json }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(messageIn(text) ?? `the mock responded with ${response.status}`)
  return text
}

const messageIn = (text: string): string | null => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
