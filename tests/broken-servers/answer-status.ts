import { type Failing, on, withJson, withText } from './faults.ts'
import type { Broken } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('answer')

const status = /^createPlant\/response\/(declared|2|3|5)/

const created = (failing: Failing) => on('none', failing)
const coded = (code: number, headers: Readonly<Record<string, string>> = {}) =>
  created(answer => ({ ...answer, status: code, headers: { ...answer.headers, ...headers } }))
/** Right plants and Errors under a wrong status. */
export const statusServers: readonly Broken[] = [
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
    created(answer => ({ ...answer, status: 204, headers: {}, body: '' })),
  ),
  row('creates-with-203', 'A valid plant gets an undeclared 203.', status, coded(203)),
  row(
    'creates-with-302',
    'A valid plant is redirected to itself.',
    status,
    coded(302, { location: '/plants/1' }),
  ),
  row(
    'creates-with-303',
    'A valid plant is redirected to itself.',
    status,
    coded(303, { location: '/plants/1' }),
  ),
  row(
    'creates-with-307',
    'A valid plant is redirected elsewhere.',
    status,
    created(answer => ({ ...withText(answer, 307, ''), headers: { location: '/v2/plants' } })),
  ),
  row(
    'creates-with-201-where-tagged',
    'A valid plant with a tag gets an undeclared 201.',
    status,
    created(answer => (answer.plant?.tag === undefined ? answer : { ...answer, status: 201 })),
  ),
  row('refuses-with-200', 'Every refusal has status 200.', /^createPlant\//, {
    respond: answer => ({ ...answer, status: 200 }),
  }),
  row('refuses-with-plants', 'Every refusal is a 200 with a Plant.', /^createPlant\/(auth|request)\//, {
    respond: answer =>
      answer.cause === 'none' ? answer : withJson(answer, 200, { name: answer.plant?.name ?? '' }),
  }),
  row('swaps-success-and-failure', 'Valid plants are refused, and invalid ones created.', /^createPlant\//, {
    respond: answer =>
      answer.cause === 'none'
        ? withJson(answer, 400, { error: 1, message: 'created' })
        : withJson(answer, 200, { name: answer.plant?.name ?? '' }),
  }),
  row('swaps-statuses', 'Plants come with 400 and Errors with 200.', /^createPlant\//, {
    respond: answer => ({ ...answer, status: answer.cause === 'none' ? 400 : 200 }),
  }),
]
