import type { MockResponse } from '../engine/compiled-response.ts'
import type { Middleware } from '../engine/context.ts'
import type { Clock, Journal } from './journal.ts'
import type { Metrics } from './metrics.ts'

/** Records every request and its response in the journal, and counts them. */
export const record =
  (journal: Journal, metrics: Metrics, clock: Clock): Middleware =>
  (context, next) => {
    const began = clock.ticks()
    metrics.began()
    const ended = (response: MockResponse): MockResponse => {
      const ms = clock.ticks() - began
      metrics.ended(context, response, ms)
      journal.record(context, response, ms)
      return response
    }
    const failed = (error: unknown): never => {
      metrics.failed()
      throw error
    }
    try {
      const response = next(context)
      // A response that is at hand is not awaited.
      return response instanceof Promise ? response.then(ended, failed) : ended(response)
    } catch (error) {
      return failed(error)
    }
  }
