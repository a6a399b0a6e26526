import type { Pace } from '../streams/pace.ts'
import type { Scenario } from './scenario.ts'

/** How the items of a stream come by a scenario; null: it does not say. */
export const paceOf = ({ stream }: Scenario): Pace | null =>
  stream === undefined
    ? null
    : { events: stream.events ?? null, interval: stream.interval ?? 0, open: stream.open ?? false }

/** The same for the journal. */
export const paceText = ({ events, interval, open }: Pace): string =>
  [
    events === null ? 'events' : `${events} event${events === 1 ? '' : 's'}`,
    ...(interval === 0 ? [] : [`every ${interval} ms`]),
    ...(open ? ['kept open'] : []),
  ].join(' ')
