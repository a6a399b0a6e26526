import { crash, type Failing, hang, hangUp, refuse, reset, when } from './faults.ts'
import { isText } from './json.ts'
import { steady } from './load-requests.ts'
import type { Asked, Broken } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, jsonHeaders, plant, times, together } from './sent.ts'
import { lawfulParts } from './store.ts'

const row = rowsOf('load')

const load = /^createPlant\/(load\/|response\/declared)/
const nth = (looks: (nth: number) => boolean, failing: Failing) => when(asked => looks(asked.nth), failing)
const nthOnSocket = (looks: (nth: number) => boolean, failing: Failing) =>
  when(asked => looks(asked.nthOnSocket), failing)
const created = (looks: (asked: Asked) => boolean, failing: Failing) =>
  when((asked, { cause }) => cause === 'none' && looks(asked), failing)

/** Stores that fail by count. */
export const countingServers: readonly Broken[] = [
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
    steady(501),
  ),
  row(
    'refuses-every-20th-plant',
    'Every twentieth plant is refused.',
    load,
    created(({ nth: count }) => count % 20 === 0, refuse),
    steady(21),
  ),
  row(
    'hangs-every-100th-time',
    'Every hundredth request gets no answer.',
    load,
    nth(count => count % 100 === 0, hang),
    steady(101),
  ),
  row(
    'resets-every-60th-time',
    'Every sixtieth request resets the connection.',
    load,
    nth(count => count % 60 === 0, reset),
    steady(61),
  ),
  row(
    'crashes-after-300',
    'After three hundred requests there is nothing but a 500.',
    load,
    nth(count => count > 300, crash),
    steady(302),
  ),
  row(
    'crashes-after-1000',
    'After a thousand requests there is nothing but a 500.',
    load,
    nth(count => count > 1000, crash),
    steady(1002),
  ),
  row(
    'refuses-after-400',
    'After four hundred requests every plant is refused.',
    load,
    nth(count => count > 400, refuse),
    steady(402),
  ),
  row(
    'hangs-after-500',
    'After five hundred requests there are no answers.',
    load,
    nth(count => count > 500, hang),
    steady(501),
  ),
  row(
    'slows-down-into-a-hang',
    'After three hundred requests each takes longer than the one before, in the end without end.',
    load,
    {
      respond: async (answer, { nth: count, wait }) => {
        if (count > 300) await wait(2 ** Math.min(count - 300, 20))
        return answer
      },
    },
    steady(312),
  ),
  row(
    'forgets-names-after-250',
    'After 250 requests the Plant has no name.',
    /^createPlant\/(load\/|response\/200)/,
    {
      plant: (given, asked) => (asked.nth > 250 ? { tag: given.tag } : lawfulParts.plant(given, asked)),
    },
    steady(252),
  ),
  row(
    'creates-with-201-after-350',
    'After 350 requests plants get an undeclared 201.',
    load,
    created(
      ({ nth: count }) => count > 350,
      answer => ({ ...answer, status: 201 }),
    ),
    steady(352),
  ),
  row(
    'crashes-first',
    'The first request gets a 500.',
    load,
    nth(count => count === 1, crash),
    steady(1),
  ),
  row(
    'refuses-first',
    'The first plant is refused.',
    load,
    nth(count => count === 1, refuse),
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
    'The fortieth request of each connection gets no answer and ends it.',
    load,
    nthOnSocket(count => count === 40, hangUp),
    steady(41),
  ),
  row(
    'drops-every-10th-connection',
    'Every tenth connection is dropped at its first request.',
    load,
    () => {
      let connections = 0
      return {
        respond: (answer, asked) => {
          if (asked.nthOnSocket === 1) connections += 1
          return asked.nthOnSocket === 1 && connections % 10 === 0 ? hangUp(answer, asked) : answer
        },
      }
    },
    {
      witness: together(
        12,
        times(12, () => plant({}, { ...jsonHeaders, connection: 'close' })),
      ),
    },
  ),
  row(
    'alternates-statuses',
    'Every second plant gets an undeclared 201.',
    load,
    created(
      ({ nth: count }) => count % 2 === 0,
      answer => ({ ...answer, status: 201 }),
    ),
    steady(3),
  ),
  row(
    'takes-null-tag-every-other-time',
    'A tag of null is taken every other time.',
    /^createPlant\/(load\/|request\/body\/tag\/type\/null)/,
    () => {
      let asked = 0
      return {
        tag: value => {
          if (value === null) asked += 1
          return value === undefined || isText(value) || (value === null && asked % 2 === 0)
        },
      }
    },
    { witness: inTurn(plant({ tag: null }), plant({ tag: null })) },
  ),
]
