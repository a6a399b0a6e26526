import { crash, type Fault, hang, hangUp, reject, reset, when } from '../store/faults.ts'
import { isText } from '../store/json.ts'
import type { BrokenServer, Exchange } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant, times, together } from '../store/sent.ts'
import { lawfulParts } from '../store/store.ts'
import { steady } from './requests.ts'

const row = rowsOf('stability')

const load = /^createPlant\/(stability\/|response\/declared)/
const nth = (matches: (nth: number) => boolean, fault: Fault) =>
  when(exchange => matches(exchange.nth), fault)
const nthOnSocket = (matches: (nth: number) => boolean, fault: Fault) =>
  when(exchange => matches(exchange.nthOnSocket), fault)
const created = (matches: (exchange: Exchange) => boolean, fault: Fault) =>
  when((exchange, { cause }) => cause === 'none' && matches(exchange), fault)

/** Stores that fail after a number of requests. */
export const countingServers: readonly BrokenServer[] = [
  row(
    'crashes-every-7th-time',
    'Every seventh request gets a 500.',
    load,
    nth(count => count % 7 === 0, crash),
    steady(8),
  ),
  row(
    'crashes-every-50th-time',
    'Every fiftieth request gets a 500.',
    load,
    nth(count => count % 50 === 0, crash),
    steady(51),
  ),
  row(
    'crashes-every-500th-time',
    'Every five-hundredth request gets a 500.',
    load,
    nth(count => count % 500 === 0, crash),
    { ...steady(501) },
  ),
  row(
    'rejects-every-20th-plant',
    'Every twentieth plant is rejected.',
    load,
    created(({ nth: count }) => count % 20 === 0, reject),
    steady(21),
  ),
  row(
    'hangs-every-100th-time',
    'Every hundredth request gets no response.',
    load,
    nth(count => count % 100 === 0, hang),
    { ...steady(101), ...hangs },
  ),
  row(
    'resets-every-30th-time',
    'Every thirtieth request resets the connection.',
    load,
    nth(count => count % 30 === 0, reset),
    steady(31),
  ),
  row(
    'crashes-after-300',
    'Every request after the first 300 gets a 500.',
    load,
    nth(count => count > 300, crash),
    steady(302),
  ),
  row(
    'crashes-after-1000',
    'Every request after the first 1,000 gets a 500.',
    load,
    nth(count => count > 1000, crash),
    { ...steady(1002) },
  ),
  row(
    'rejects-after-400',
    'Every plant after the first 400 requests is rejected.',
    load,
    nth(count => count > 400, reject),
    { ...steady(402) },
  ),
  row(
    'hangs-after-500',
    'Requests after the first 500 get no response.',
    load,
    nth(count => count > 500, hang),
    { ...steady(501), ...hangs },
  ),
  row(
    'slows-down-into-a-hang',
    'After 300 requests each response takes twice as long as the one before.',
    load,
    {
      respond: async (response, { nth: count, wait }) => {
        if (count > 300) await wait(2 ** Math.min(count - 300, 20))
        return response
      },
    },
    { ...steady(312), ...hangs },
  ),
  row(
    'forgets-names-after-250',
    'After 250 requests Plants have no name.',
    /^createPlant\/(stability\/|response\/200)/,
    {
      plant: (created, exchange) =>
        exchange.nth > 250 ? { tag: created.tag } : lawfulParts.plant(created, exchange),
    },
    steady(252),
  ),
  row(
    'creates-with-201-after-350',
    'After 350 requests plants get an undeclared 201.',
    load,
    created(
      ({ nth: count }) => count > 350,
      response => ({ ...response, status: 201 }),
    ),
    { ...steady(352) },
  ),
  row(
    'crashes-first',
    'The first request gets a 500.',
    load,
    nth(count => count === 1, crash),
    steady(1),
  ),
  row(
    'rejects-first',
    'The first plant is rejected.',
    load,
    nth(count => count === 1, reject),
    steady(1),
  ),
  row(
    'crashes-first-on-each-connection',
    'The first request of each connection gets a 500.',
    load,
    nthOnSocket(count => count === 1, crash),
    steady(1),
  ),
  row(
    'crashes-second-on-each-connection',
    'The second request of each connection gets a 500.',
    load,
    nthOnSocket(count => count === 2, crash),
    steady(2),
  ),
  row(
    'drops-long-connections',
    'The tenth request of each connection gets no response and ends it.',
    load,
    nthOnSocket(count => count === 10, hangUp),
    { ...steady(11) },
  ),
  row(
    'drops-every-4th-connection',
    'Every fourth connection is dropped at its first request.',
    load,
    () => {
      let connections = 0
      return {
        respond: (response, exchange) => {
          if (exchange.nthOnSocket === 1) connections += 1
          return exchange.nthOnSocket === 1 && connections % 4 === 0 ? hangUp(response, exchange) : response
        },
      }
    },
    {
      witness: together(
        6,
        times(6, () => plant({}, { ...jsonHeaders, connection: 'close' })),
      ),
    },
  ),
  row(
    'alternates-statuses',
    'Every second plant gets an undeclared 201.',
    load,
    created(
      ({ nth: count }) => count % 2 === 0,
      response => ({ ...response, status: 201 }),
    ),
    steady(3),
  ),
  row(
    'takes-null-tag-every-other-time',
    'A tag of null is accepted every other time.',
    /^createPlant\/(stability\/|request\/body\/tag\/type\/null)/,
    () => {
      let exchange = 0
      return {
        tag: value => {
          if (value === null) exchange += 1
          return value === undefined || isText(value) || (value === null && exchange % 2 === 0)
        },
      }
    },
    { witness: inTurn(plant({ tag: null }), plant({ tag: null })) },
  ),
]
