import {
  bodyText,
  crash,
  crashPage,
  type Fault,
  hang,
  hangUp,
  on,
  reset,
  unprocessable,
  when,
  withJson,
  withText,
} from '../store/faults.ts'
import { isInt64, isObject, isText, parseJson } from '../store/json.ts'
import type { BrokenServer, Cause } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'

const row = rowsOf('reject')

const validation: readonly Cause[] = ['body', 'id', 'name', 'tag']
const plants = /^createPlant\/(request\/body\/|response\/)/
const at = (place: string) => new RegExp(`^createPlant/(request/body/${place}/|response/)`)

const reads = (exchange: Parameters<typeof bodyText>[0]): Record<string, unknown> => {
  try {
    const value = parseJson(bodyText(exchange))
    return isObject(value) ? value : { top: value }
  } catch {
    return {}
  }
}

const whenRefused = (
  causes: readonly Cause[],
  matches: (value: Record<string, unknown>) => boolean,
  fault: Fault,
) => when((exchange, { cause }) => causes.includes(cause) && matches(reads(exchange)), fault)

const noMessage: Fault = response => withJson(response, 400, { error: 3 })

/** Stores that reject invalid plants, but not as the contract declares. */
export const rejectionServers: readonly BrokenServer[] = [
  row(
    'rejects-plants-with-422',
    'Invalid plants get an undeclared 422.',
    plants,
    on(validation, unprocessable),
  ),
  row(
    'rejects-plants-with-409',
    'Invalid plants get an undeclared 409.',
    plants,
    on(validation, response => ({ ...response, status: 409 })),
  ),
  row('rejects-plants-with-500', 'Invalid plants get a 500.', plants, on(validation, crash)),
  row(
    'rejects-plants-with-200',
    'The rejection of invalid plants has status 200.',
    plants,
    on(validation, response => ({ ...response, status: 200 })),
  ),
  row(
    'rejects-plants-in-text',
    'The rejection of invalid plants is plain text.',
    plants,
    on(validation, response => withText(response, 400, 'invalid plant')),
  ),
  row(
    'rejects-plants-without-body',
    'The rejection of invalid plants has no body.',
    plants,
    on(validation, response => ({ ...response, headers: {}, body: '' })),
  ),
  row(
    'rejects-with-a-list',
    'The rejection of invalid plants is a list of errors.',
    plants,
    on(validation, response => withJson(response, 400, [{ error: 3, message: 'invalid' }])),
  ),
  row(
    'rejects-missing-properties-without-message',
    'The rejection of a missing property has no message.',
    plants,
    whenRefused(validation, value => !('id' in value) || !('name' in value), noMessage),
  ),
  row(
    'rejects-null-with-string-error',
    'The rejection of null has a string as its error.',
    plants,
    whenRefused(
      ['id', 'name', 'tag'],
      value => Object.values(value).includes(null),
      response => withJson(response, 400, { error: 'null', message: 'null' }),
    ),
  ),
  row(
    'crashes-on-null-body',
    'A body of null gets a 500.',
    plants,
    whenRefused(['body'], ({ top }) => top === null, crash),
  ),
  row(
    'crashes-on-array-body',
    'An array instead of a plant gets a 500.',
    plants,
    whenRefused(['body'], ({ top }) => Array.isArray(top), crashPage),
  ),
  row(
    'crashes-on-scalar-body',
    'A string or number instead of a plant gets a 500.',
    plants,
    whenRefused(['body'], ({ top }) => top !== null && typeof top !== 'object', crash),
  ),
  row(
    'crashes-on-empty-object',
    'An empty object gets a 500.',
    plants,
    whenRefused(['id'], value => Object.keys(value).length === 0, crash),
  ),
  row(
    'crashes-without-id',
    'A missing id gets a 500.',
    at('id'),
    whenRefused(['id'], value => !('id' in value), crash),
  ),
  row(
    'crashes-without-name',
    'A missing name gets a 500.',
    at('name'),
    whenRefused(['name'], value => !('name' in value), crash),
  ),
  row(
    'crashes-on-id-in-quotes',
    'An id in quotes gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => isText(id), crash),
  ),
  row(
    'crashes-on-null-id',
    'An id of null gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => id === null, crash),
  ),
  row(
    'crashes-on-object-id',
    'An object instead of an id gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => isObject(id), crash),
  ),
  row(
    'crashes-on-fraction',
    'A fraction instead of an id gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => typeof id === 'number' && Number.isFinite(id), crash),
  ),
  row(
    'crashes-on-overflow',
    'An id beyond int64 gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => typeof id === 'bigint' && !isInt64(id), crash),
  ),
  row(
    'crashes-on-number-name',
    'A number instead of a name gets a 500.',
    at('name'),
    whenRefused(['name'], ({ name }) => typeof name === 'bigint', crash),
  ),
  row(
    'crashes-on-null-name',
    'A name of null gets a 500.',
    at('name'),
    whenRefused(['name'], ({ name }) => name === null, crash),
  ),
  row(
    'crashes-on-object-name',
    'An object instead of a name gets a 500.',
    at('name'),
    whenRefused(['name'], ({ name }) => isObject(name), crash),
  ),
  row(
    'crashes-on-null-tag',
    'A tag of null gets a 500.',
    at('tag'),
    whenRefused(['tag'], ({ tag }) => tag === null, crash),
  ),
  row(
    'crashes-on-array-tag',
    'An array instead of a tag gets a 500.',
    at('tag'),
    whenRefused(['tag'], ({ tag }) => Array.isArray(tag), crash),
  ),
  row(
    'hangs-on-object-name',
    'An object instead of a name gets no response.',
    at('name'),
    whenRefused(['name'], ({ name }) => isObject(name), hang),
    hangs,
  ),
  row(
    'hangs-on-array-id',
    'An array instead of an id gets no response.',
    at('id'),
    whenRefused(['id'], ({ id }) => Array.isArray(id), hang),
    hangs,
  ),
  row(
    'hangs-on-null-body',
    'A body of null gets no response.',
    plants,
    whenRefused(['body'], ({ top }) => top === null, hang),
    hangs,
  ),
  row(
    'resets-on-boolean-id',
    'A boolean instead of an id resets the connection.',
    at('id'),
    whenRefused(['id'], ({ id }) => typeof id === 'boolean', reset),
  ),
  row(
    'hangs-up-on-array-body',
    'An array instead of a plant ends the connection.',
    plants,
    whenRefused(['body'], ({ top }) => Array.isArray(top), hangUp),
  ),
  row(
    'checks-plants-with-tag-only',
    'Plants without a tag are not checked.',
    /^createPlant\/request\/body\//,
    {
      id: () => true,
      name: () => true,
      respond: (response, exchange) => {
        const value = reads(exchange)
        if (response.cause !== 'none' || !('tag' in value)) return response
        if (isInt64(value.id) && isText(value.name)) return response
        return withJson(response, 400, { error: 1, message: 'invalid plant' })
      },
    },
  ),
]
