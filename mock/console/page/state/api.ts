type CallOptions = { readonly method?: string; readonly body?: unknown; readonly client?: string }

/**
 * Calls the mock's admin API; `path` is relative to `/__plantstore/`. Throws an error with the message that the mock
 * responds with. `client`: the client that the call is about; empty: all.
 */
export const callMock = async <T>(
  path: string,
  { method = 'GET', body, client = '' }: CallOptions = {},
): Promise<T> => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(client === '' ? {} : { 'Plantstore-Client': client }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(messageIn(text) ?? `the mock responded with ${response.status}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

const messageIn = (text: string): string | null => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
