import { useEffect, useState } from './html.ts'

export const panels = ['traffic', 'scenarios', 'contract', 'coverage'] as const
export type Panel = (typeof panels)[number]

/** What the address names: a panel, and in it a request by its number or an operation by its id. */
export type Route = {
  readonly panel: Panel
  readonly request: number | null
  readonly operation: string | null
}

export const readRoute = (hash: string): Route => {
  const [name = '', rest = ''] = hash.replace(/^#/, '').split(/\/(.*)/s)
  if (name === 'request') return { panel: 'traffic', request: Number(rest) || null, operation: null }
  const panel = panels.find(own => own === name) ?? 'traffic'
  return { panel, request: null, operation: rest === '' ? null : decoded(rest) }
}

export const requestHash = (number: number): string => `#request/${number}`
export const panelHash = (panel: Panel, operation: string | null = null): string =>
  operation === null ? `#${panel}` : `#${panel}/${encodeURIComponent(operation)}`

/** The address as it is now. */
export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = (): void => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return readRoute(hash)
}

/** Moving through a list is no journey to go back through step by step. */
export const replaceHash = (hash: string): void => {
  history.replaceState(null, '', hash)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
