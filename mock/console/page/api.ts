/** Asks the mock for something of its own; throws with the reason that it gives. Paths are below `/__plantstore/`. */
export const ask = async <T>(
  path: string,
  { method = 'GET', body, client = '' }: { method?: string; body?: unknown; client?: string } = {},
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
  if (!response.ok) throw new Error(reasonIn(text) ?? `the mock answered ${response.status}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

const reasonIn = (text: string): string | null => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
