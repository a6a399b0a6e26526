import type { DeclaredResponse, Operation } from '../contract/contract.ts'

/** The declared response that describes a status: the status itself, its range, or `default`; null if there is none. */
export const responseFor = (operation: Operation, status: number): DeclaredResponse | null =>
  operation.responses.find(response => response.status === String(status)) ??
  operation.responses.find(response => response.status === `${Math.floor(status / 100)}XX`) ??
  operation.responses.find(response => response.status === 'default') ??
  null
