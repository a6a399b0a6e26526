import { ask } from './api.ts'
import { useEffect, useReducer, useState } from './html.ts'
import { current, type Live, listen } from './live.ts'

/** The requests of the mock, as they come. */
export const useLive = (): Live => {
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => listen(() => again(undefined)), [])
  return current()
}

export type Loaded<T> = { readonly value: T | null; readonly problem: string | null }

/** What the mock has at a path; asked for anew where the path or `version` changes. Null: nothing is asked for. */
export const useAsked = <T>(path: string | null, version: unknown = 0): Loaded<T> => {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path: string | null }>({
    path: null,
    value: null,
    problem: null,
  })
  useEffect(() => {
    if (path === null) return
    let stale = false
    ask<T>(path).then(
      value => stale || setLoaded({ path, value, problem: null }),
      (error: Error) => stale || setLoaded({ path, value: null, problem: error.message }),
    )
    return () => {
      stale = true
    }
  }, [path, version])
  return loaded.path === path ? loaded : { value: null, problem: null }
}

/** A value that the browser keeps for this tab; a private window may keep nothing. */
export const useKept = (name: string, first: string): readonly [string, (value: string) => void] => {
  const [value, setValue] = useState(() => kept(name) ?? first)
  return [
    value,
    next => {
      setValue(next)
      keep(name, next)
    },
  ]
}

const kept = (name: string): string | null => {
  try {
    return sessionStorage.getItem(`plantstore.${name}`)
  } catch {
    return null
  }
}

const keep = (name: string, value: string): void => {
  try {
    sessionStorage.setItem(`plantstore.${name}`, value)
  } catch {}
}
