import { errorCodes, type ResponseViolation } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context, Forwarded } from '../engine/context.ts'
import type { Entry, ShownViolation } from './journal-entry.ts'
import { createSlot, readSlot, type Slot, writeSlot } from './journal-slot.ts'

/** A request that the mock sent, with the answer; `target`: its URL. Status 0: there was no answer. */
export type OwnExchange = Pick<Entry, 'ms' | 'method' | 'target' | 'headers' | 'body'> &
  Pick<Entry, 'operation' | 'violations' | 'scenario' | 'answerProblem'> & {
    readonly response: Pick<MockResponse, 'status' | 'headers' | 'body'>
  }

/** The last requests of the mock, for its console, its log and its metrics. */
export type Journal = {
  readonly record: (context: Context, response: MockResponse, ms: number) => void
  /** Adds an exchange that did not come to the mock: one that it sent itself. */
  readonly add: (exchange: OwnExchange) => Entry
  /** Oldest first. */
  readonly entries: () => readonly Entry[]
  readonly clear: () => void
  /** Calls `listener` with every entry from now on, and its whole bodies; returns a function that ends that. */
  readonly listen: (listener: (entry: Entry, bodies: Bodies) => void) => () => void
}

/** The bodies of an exchange, the server's if it was forwarded. `isCut`: it was larger than what is read. */
export type Bodies = {
  readonly request: { readonly bytes: Uint8Array | null; readonly isCut: boolean }
  readonly response: { readonly bytes: Uint8Array; readonly isCut: boolean }
}

/** `now`: milliseconds since 1970; `ticks`: milliseconds of a clock that only goes forward. */
export type Clock = { readonly now: () => number; readonly ticks: () => number }

const maxEntries = 500
const maxBytes = 64 * 1024

export const createJournal = (clock: Clock): Journal => {
  const listeners = new Set<(entry: Entry, bodies: Bodies) => void>()
  const slots: Slot[] = []
  let count = 0
  let cleared = 0
  /** Adds an entry after the last one, over the oldest one if there are enough. */
  const keep = (entry: Entry): void => {
    const place = (count - cleared - 1) % maxEntries
    let slot = slots[place]
    if (slot === undefined) {
      slot = createSlot(entry)
      slots.push(slot)
    }
    writeSlot(slot, entry, slots[(place + maxEntries - 1) % maxEntries] ?? slot)
  }
  const add = (exchange: OwnExchange, forwarded: Forwarded | null = null, isCut = false): Entry => {
    count += 1
    const { ms, method, target, headers, body, response, operation, violations, scenario, answerProblem } =
      exchange
    const entry: Entry = {
      number: count,
      at: clock.now(),
      ms,
      method,
      target,
      headers,
      body: body === null ? null : cut(body),
      bodySize: body?.length ?? 0,
      status: response.status,
      responseHeaders: response.headers,
      responseBody: cut(response.body),
      responseSize: response.body.length,
      operation,
      violations,
      scenario,
      answerProblem,
      forwarded: forwarded === null ? null : withCutBody(forwarded),
    }
    keep(entry)
    if (listeners.size === 0) return entry
    const received = forwarded?.response?.body ?? response.body
    const bodies: Bodies = {
      request: { bytes: body, isCut },
      response: { bytes: received, isCut: forwarded?.isCut === true },
    }
    for (const listener of listeners) listener(entry, bodies)
    return entry
  }
  return {
    record: ({ received, judged, scenario, answerProblem, forwarded }, response, ms) => {
      const { method, target, headers, body, tooLarge } = received
      const operation = judged?.operation.id ?? null
      const violations = judged?.violations ?? []
      add(
        { ms, method, target, headers, body, response, operation, violations, scenario, answerProblem },
        forwarded,
        tooLarge,
      )
    },
    add: exchange => add(exchange),
    entries: () => {
      const first = slots.length < maxEntries ? 0 : (count - cleared) % maxEntries
      return [...slots.slice(first), ...slots.slice(0, first)].map(readSlot)
    },
    clear: () => {
      slots.length = 0
      cleared = count
    },
    listen: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

// A view of a large body would keep all of it in memory, if a listener keeps the entry.
const cut = (bytes: Uint8Array): Uint8Array => (bytes.length > maxBytes ? bytes.slice(0, maxBytes) : bytes)

const withCutBody = (forwarded: Forwarded): Forwarded => {
  const { response } = forwarded
  return response === null ? forwarded : { ...forwarded, response: { ...response, body: cut(response.body) } }
}

/** What an exchange breaks of the contract, the request first; the response only if it is a server's behind a proxy. */
export const shownViolations = ({
  violations,
  forwarded,
}: Pick<Entry, 'violations' | 'forwarded'>): readonly ShownViolation[] =>
  forwarded === null || forwarded.violations.length === 0
    ? violations
    : [...violations, ...forwarded.violations.map(shownViolation)]

/** A broken requirement of a response, in the form in which those of requests are shown. */
export const shownViolation = ({
  id,
  operation,
  subject,
  title,
  expected,
  actual,
}: ResponseViolation): ShownViolation => ({
  id,
  operation,
  subject,
  part: 'body',
  code: errorCodes.otherRule,
  message: `${title ?? actual}; expected: ${expected}`,
  at: null,
})
