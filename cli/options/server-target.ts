import type { RunEvent } from '../../spec/index.ts'
import { target } from './parse.ts'

/**
 * The mock, started for one run. Its port is another one each time, so a run is told as one of this name, and the
 * name can be given in the place of a URL.
 */
export const embeddedMock = 'embedded-mock'

export type Target = URL | typeof embeddedMock

/** A base URL, or the name of the embedded mock. */
export const server = (text: string): Target => (text === embeddedMock ? text : target(text))

/** An event as it is told: of the target by the name that reaches it again. */
export const named = <E extends RunEvent>(event: E, target: Target): E =>
  event.type === 'start' && target === embeddedMock ? { ...event, target } : event
