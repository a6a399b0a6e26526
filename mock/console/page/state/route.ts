import type { EditableRequest, ExchangeDetails } from '../../messages.ts'
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

/** What the form contains when it opens next: a request, or the sample that violates an obligation. */
export type FormPreset = {
  readonly operation: string
  readonly request: EditableRequest | null
  readonly violates: string | null
}

let next: FormPreset | null = null

/** Opens the form with the request of an exchange. */
export const editAndResend = ({ editable }: ExchangeDetails, operation: string): void => {
  next = { operation, request: editable, violates: null }
  location.hash = panelHash('contract', operation)
}

/** Opens the form with a request that violates this obligation. */
export const tryViolation = (operation: string, violates: string): void => {
  next = { operation, request: null, violates }
  location.hash = panelHash('contract', operation)
}

/** The preset for this operation. It is used once. */
export const takePreset = (operation: string): FormPreset | null => {
  const preset = next?.operation === operation ? next : null
  if (preset !== null) next = null
  return preset
}
