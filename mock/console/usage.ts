import { allPlaces, header, type Operation, readJson, type Usage, usageOf } from '../../spec/index.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { readAgain } from './coverage.ts'
import type { ServedOperation } from './served-operations.ts'

export type UsageTracker = { readonly report: () => Usage; readonly clear: () => void }

type Tally = {
  readonly operation: Operation
  /** All requests, and those of them that were looked into. */
  requests: number
  known: number
  readonly sent: Map<string, number>
  readonly served: Map<number, Set<string>>
}

/**
 * Tracks what clients use of the contract. Requests are counted as they come; the other figures are made when a report is requested, from
 * what the journal still has. An operation with requests that it has not is `unclear`.
 */
export const createUsage = (
  journal: Journal,
  operationOf: (id: string) => ServedOperation | undefined,
): UsageTracker => {
  const tallies = new Map<string, Tally>()
  let lastExamined = 0
  journal.listen(({ operation: id }) => {
    const served = operationOf(id ?? '')
    if (id === null || served === undefined) return
    const tally = tallies.get(id) ?? {
      operation: served.operation,
      requests: 0,
      known: 0,
      sent: new Map(),
      served: new Map(),
    }
    tally.requests += 1
    tallies.set(id, tally)
  })
  const examine = (entry: Entry): void => {
    const [tally, served] = [tallies.get(entry.operation ?? ''), operationOf(entry.operation ?? '')]
    if (entry.number <= lastExamined || tally === undefined || served === undefined) return
    const [sent, places] = [partsOf(entry, served), responsePlaces(entry)]
    if (sent === null || places === null) return
    tally.known += 1
    for (const part of sent) tally.sent.set(part, (tally.sent.get(part) ?? 0) + 1)
    const known = tally.served.get(entry.status) ?? new Set()
    for (const place of places) known.add(place)
    tally.served.set(entry.status, known)
  }
  return {
    report: () => {
      const entries = journal.entries()
      for (const entry of entries) examine(entry)
      lastExamined = entries.at(-1)?.number ?? lastExamined
      return usageOf(
        Object.fromEntries(
          [...tallies.values()].map(({ operation, requests, known, sent, served }) => [
            `${operation.method} ${operation.path}`,
            {
              requests,
              sent: Object.fromEntries([...sent].sort()),
              served: Object.fromEntries([...served].map(([status, places]) => [status, [...places].sort()])),
              ...(known === requests ? {} : { unclear: true }),
            },
          ]),
        ),
      )
    },
    clear: () => tallies.clear(),
  }
}

/** What a request has; null: not all of it was kept, or it cannot be read. */
const partsOf = (entry: Entry, served: ServedOperation): readonly string[] | null => {
  const request = readAgain(served, entry)
  if (request === null) return null
  const { body, parameters } = request
  const hasBody = entry.bodySize > 0
  const places = !hasBody ? [] : body === undefined ? null : allPlaces(body)
  if (places === null) return null
  return [
    ...served.operation.parameters
      .filter(({ name }) => Object.hasOwn(parameters, name))
      .map(parameter => `${parameter.in}/${parameter.name}`),
    ...places.map(place => `body${place}`),
  ]
}

/** The places of a response in JSON, or none of any other; null: not all of it was kept. */
const responsePlaces = (entry: Entry): readonly string[] | null => {
  const { responseBody, responseSize, responseHeaders } = entry
  if (responseSize > responseBody.length) return null
  if (!/[/+]json\b/i.test(header(responseHeaders, 'content-type') ?? '')) return []
  const read = readJson(responseBody)
  return read.ok ? allPlaces(read.value) : []
}
