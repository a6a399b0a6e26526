import { crash, type Fault, reject, unprocessable, withJson } from '../store/faults.ts'
import type { BrokenServer, Exchange, Parts, StoreResponse } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant } from '../store/sent.ts'
import { untilAllAreHere } from './recovery.ts'
import { crowd } from './requests.ts'

const row = rowsOf('stability')

const load = /^createPlant\/(stability\/|response\/)/

const inFlight = (isHit: (count: number) => boolean, fault: Fault): Partial<Parts> => ({
  respond: async (response, exchange) =>
    isHit(await untilAllAreHere(exchange)) ? fault(response, exchange) : response,
})

/** The requests that came within so many milliseconds, this one included. */
const within =
  (milliseconds: number, isHit: (count: number) => boolean, fault: Fault) => (): Partial<Parts> => {
    const times: number[] = []
    return {
      respond: (response, exchange) => {
        const now = performance.now()
        times.push(now)
        while ((times[0] ?? now) < now - milliseconds) times.shift()
        return isHit(times.length) ? fault(response, exchange) : response
      },
    }
  }

/** The first plant after a pause. */
const afterIdling =
  (milliseconds: number, fault: (response: StoreResponse, exchange: Exchange) => ReturnType<Fault>) =>
  (): Partial<Parts> => {
    let last = performance.now()
    return {
      respond: (response, exchange) => {
        const now = performance.now()
        const idle = now - last
        last = now
        return idle > milliseconds && response.cause === 'none' ? fault(response, exchange) : response
      },
    }
  }

/** Two plants with silence between them. */
const apart = { witness: { ...inTurn(plant(), plant()), pause: 400 } }

/** Stores that fail by how many requests come at a time, and after how long. */
export const pauseServers: readonly BrokenServer[] = [
  row(
    'crashes-with-two-in-flight',
    'Exactly two requests at a time get a 500.',
    load,
    inFlight(count => count === 2, crash),
    crowd(2),
  ),
  row(
    'rejects-with-three-in-flight',
    'Exactly three requests at a time are rejected.',
    load,
    inFlight(count => count === 3, reject),
    crowd(3),
  ),
  row(
    'rejects-with-five-in-flight',
    'Four or five requests at a time get an undeclared 422.',
    load,
    inFlight(count => count === 4 || count === 5, unprocessable),
    crowd(5),
  ),
  row(
    'confuses-with-two-in-flight',
    'The first of exactly two plants gets the name of the second.',
    /^createPlant\/(stability\/|response\/200\/echo)/,
    () => {
      let last = ''
      return {
        respond: async (response, exchange) => {
          last = response.plant?.name ?? last
          const count = await untilAllAreHere(exchange)
          return count === 2 && response.cause === 'none'
            ? withJson(response, 200, { name: last, tag: response.plant?.tag })
            : response
        },
      }
    },
    crowd(2),
  ),
  row(
    'crashes-in-bursts',
    'More than twelve requests in a fortieth of a second get a 500.',
    load,
    within(25, count => count > 12, crash),
    crowd(64),
  ),
  row(
    'crashes-after-idling',
    'The first plant after a tenth of a second of silence gets a 500.',
    load,
    afterIdling(90, crash),
    apart,
  ),
  row(
    'rejects-after-idling',
    'The first plant after 80 milliseconds of silence is rejected.',
    load,
    afterIdling(80, reject),
    apart,
  ),
]
