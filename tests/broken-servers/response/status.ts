import { type Fault, on, withJson, withText } from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const status = /^createPlant\/response\/(declared|2|3|5)/

const created = (fault: Fault) => on('none', fault)
const coded = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  created(response => ({ ...response, status: code, headers: { ...response.headers, ...headers } }))

/** Right Plants and Errors with a wrong status. */
export const statusServers: readonly BrokenServer[] = [
  row(
    'creates-with-201',
    'A valid plant gets an undeclared 201.',
    status,
    coded(201, { location: '/plants/1' }),
  ),
  row('creates-with-202', 'A valid plant gets an undeclared 202.', status, coded(202)),
  row(
    'creates-with-204',
    'A valid plant gets an undeclared 204.',
    status,
    created(response => ({ ...response, status: 204, headers: {}, body: '' })),
  ),
  row('creates-with-203', 'A valid plant gets an undeclared 203.', status, coded(203)),
  row(
    'creates-with-302',
    'A valid plant is redirected to itself with a 302.',
    status,
    coded(302, { location: '/plants/1' }),
  ),
  row(
    'creates-with-303',
    'A valid plant is redirected to itself with a 303.',
    status,
    coded(303, { location: '/plants/1' }),
  ),
  row(
    'creates-with-307',
    'A valid plant is redirected elsewhere with a 307.',
    status,
    created(response => ({ ...withText(response, 307, ''), headers: { location: '/v2/plants' } })),
  ),
  row(
    'creates-with-201-if-tagged',
    'A valid plant with a tag gets an undeclared 201.',
    status,
    created(response => (response.plant?.tag === undefined ? response : { ...response, status: 201 })),
  ),
  row('rejects-with-200', 'Every rejection has status 200.', /^createPlant\//, {
    respond: response => ({ ...response, status: 200 }),
  }),
  row('rejects-with-plants', 'Every rejection is a 200 with a Plant.', /^createPlant\/(auth|request)\//, {
    respond: response =>
      response.cause === 'none' ? response : withJson(response, 200, { name: response.plant?.name ?? '' }),
  }),
  row('swaps-success-and-failure', 'Valid plants are rejected, and invalid ones created.', /^createPlant\//, {
    respond: response =>
      response.cause === 'none'
        ? withJson(response, 400, { error: 1, message: 'created' })
        : withJson(response, 200, { name: response.plant?.name ?? '' }),
  }),
  row('swaps-statuses', 'Plants come with 400 and Errors with 200.', /^createPlant\//, {
    respond: response => ({ ...response, status: response.cause === 'none' ? 400 : 200 }),
  }),
]
