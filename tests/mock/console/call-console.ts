import type { ExchangeDetails } from '../../../mock/console/messages.ts'
import type { Mock } from '../../../mock/index.ts'
import type { Entry } from '../../../mock/middleware/journal-entry.ts'
import { obligationsOf } from '../../../spec/index.ts'

/** Calls a path of the console, relative to `/__plantstore/`. */
export const callConsole = (mock: Mock, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${mock.url}/__plantstore/${path}`, { redirect: 'manual', ...init })

export const getJson = async <T>(mock: Mock, path: string): Promise<T> =>
  (await callConsole(mock, path)).json() as Promise<T>

export const getDetails = (mock: Mock, number: number): Promise<ExchangeDetails> =>
  getJson(mock, `requests/${number}?origin=${encodeURIComponent(mock.url)}`)

export const lastEntry = (mock: Mock): Entry | undefined => mock.journal.entries().at(-1)

/** The sentence that states an obligation of the mock's contract. */
export const requirementOf = (mock: Mock, id: string): string => {
  const obligation = obligationsOf(mock.contract, 'declared').find(obligation => obligation.id === id)
  if (obligation === undefined) throw new Error(`there is no obligation ${id}`)
  return obligation.requirement
}
