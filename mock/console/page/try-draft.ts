import type { Detail, Written } from '../shape.ts'
import { panelHash } from './route.ts'

/** What the form is to begin with when it opens next: a request, or the sample that breaks an obligation. */
export type Draft = {
  readonly operation: string
  readonly written: Written | null
  readonly breaks: string | null
}

let next: Draft | null = null

/** Opens the form with the request of an exchange. */
export const again = ({ again: written }: Detail, operation: string): void => {
  next = { operation, written, breaks: null }
  location.hash = panelHash('contract', operation)
}

/** Opens the form with a request that breaks this obligation. */
export const tryBreaking = (operation: string, breaks: string): void => {
  next = { operation, written: null, breaks }
  location.hash = panelHash('contract', operation)
}

/** The draft that waits for this operation; it is given once. */
export const takeDraft = (operation: string): Draft | null => {
  const draft = next?.operation === operation ? next : null
  if (draft !== null) next = null
  return draft
}
