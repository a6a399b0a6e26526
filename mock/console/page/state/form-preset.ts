import type { EditableRequest, ExchangeDetails } from '../../messages.ts'
import { panelHash } from './route.ts'

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
