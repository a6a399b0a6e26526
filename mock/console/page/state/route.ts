import { useEffect, useState } from '../ui/html.ts'

export const panels = ['traffic', 'scenarios', 'data', 'contract', 'coverage'] as const
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
  const panel = panels.find(panel => panel === name) ?? 'traffic'
  return { panel, request: null, operation: rest === '' ? null : decoded(rest) }
}

export const requestHash = (number: number): string => `#request/${number}`
export const panelHash = (panel: Panel, operation: string | null = null): string =>
  operation === null ? `#${panel}` : `#${panel}/${encodeURIComponent(operation)}`

export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const onHashChange = (): void => setHash(location.hash)
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return readRoute(hash)
}

/** Changes the address without a history entry: the back button should not retrace every step through a list. */
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
