import { useEffect, useReducer, useState } from '../ui/html.ts'
import { callMock, callMockText } from './api.ts'
import { currentTraffic, subscribe, type Traffic } from './traffic.ts'

/** The requests to the mock, as they arrive. */
export const useTraffic = (): Traffic => {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => subscribe(() => render(undefined)), [])
  return currentTraffic()
}

export type Resource<T> = { readonly value: T | null; readonly problem: string | null }

/** The JSON at a path of the mock, loaded again whenever the path or `version` changes. Null: load nothing. */
export const useResource = <T>(path: string | null, version: unknown = 0): Resource<T> => {
  const [loaded, setLoaded] = useState<Resource<T> & { readonly path: string | null }>({
    path: null,
    value: null,
    problem: null,
  })
  useEffect(() => {
    if (path === null) return
    let isStale = false
    callMock<T>(path).then(
      value => isStale || setLoaded({ path, value, problem: null }),
      (error: Error) => isStale || setLoaded({ path, value: null, problem: error.message }),
    )
    return () => {
      isStale = true
    }
  }, [path, version])
  return loaded.path === path ? loaded : { value: null, problem: null }
}

/** A value that the browser stores for this tab, unless storage is disabled. */
export const useTabValue = (name: string, initial: string): readonly [string, (value: string) => void] => {
  const [value, setValue] = useState(() => storedValue(name) ?? initial)
  return [
    value,
    next => {
      setValue(next)
      storeValue(name, next)
    },
  ]
}

const storedValue = (name: string): string | null => {
  try {
    return sessionStorage.getItem(`plantstore.${name}`)
  } catch {
    return null
  }
}

const storeValue = (name: string, value: string): void => {
  try {
    sessionStorage.setItem(`plantstore.${name}`, value)
  } catch {}
}

/** Saves what the mock has at a path, of a client or of all (empty), as a file that it can load again. */
export const saveFile = async (path: string, name: string, client: string): Promise<void> => {
  // As text: numbers keep every digit.
  const url = URL.createObjectURL(
    new Blob([await callMockText(path, { client })], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
