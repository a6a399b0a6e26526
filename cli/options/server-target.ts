import type { RunEvent } from '../../spec/index.ts'
import { target } from './parse.ts'

/** The name of the mock that is started for one run: records show it instead of the port, and it can be given as the URL. */
export const embeddedMock = 'embedded-mock'

export type Target = URL | typeof embeddedMock

/** A base URL, or the name of the embedded mock. */
export const server = (text: string): Target => (text === embeddedMock ? text : target(text))

/** The event as it is recorded: with the name of the embedded mock instead of its URL. All may be sent to it. */
export const withTargetName = <E extends RunEvent>(event: E, target: Target): E => {
  if (event.type !== 'start' || target !== embeddedMock) return event
  const { include: _, ...selection } = event.selection
  return { ...event, target, selection }
}
