import {
  bodyText,
  crash,
  crashPage,
  type Failing,
  hang,
  hangUp,
  on,
  reset,
  unprocessable,
  when,
  withJson,
  withText,
} from './faults.ts'
import { isInt64, isObject, isText, parseJson } from './json.ts'
import type { Broken, Cause } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('refuse')

const validation: readonly Cause[] = ['body', 'id', 'name', 'tag']
const refused = /^createPlant\/(request\/body\/|response\/)/
const at = (place: string) => new RegExp(`^createPlant/(request/body/${place}/|response/)`)

const reads = (asked: Parameters<typeof bodyText>[0]): Record<string, unknown> => {
  try {
    const value = parseJson(bodyText(asked))
    return isObject(value) ? value : { top: value }
  } catch {
    return {}
  }
}

const whenRefused = (
  causes: readonly Cause[],
  looks: (value: Record<string, unknown>) => boolean,
  failing: Failing,
) => when((asked, { cause }) => causes.includes(cause) && looks(reads(asked)), failing)

const noMessage: Failing = answer => withJson(answer, 400, { error: 3 })

/** Stores that see an invalid plant, and refuse it in a way that the contract does not have. */
export const refusalServers: readonly Broken[] = [
  row(
    'refuses-plants-with-422',
    'Invalid plants get an undeclared 422.',
    refused,
    on(validation, unprocessable),
  ),
  row(
    'refuses-plants-with-409',
    'Invalid plants get an undeclared 409.',
    refused,
    on(validation, answer => ({ ...answer, status: 409 })),
  ),
  row('refuses-plants-with-500', 'Invalid plants get a 500.', refused, on(validation, crash)),
  row(
    'refuses-plants-with-200',
    'The refusal of invalid plants has status 200.',
    refused,
    on(validation, answer => ({ ...answer, status: 200 })),
  ),
  row(
    'refuses-plants-in-text',
    'The refusal of invalid plants is plain text.',
    refused,
    on(validation, answer => withText(answer, 400, 'invalid plant')),
  ),
  row(
    'refuses-plants-without-body',
    'The refusal of invalid plants has no body.',
    refused,
    on(validation, answer => ({ ...answer, headers: {}, body: '' })),
  ),
  row(
    'lists-what-is-wrong',
    'The refusal of invalid plants is a list of errors.',
    refused,
    on(validation, answer => withJson(answer, 400, [{ error: 3, message: 'invalid' }])),
  ),
  row(
    'refuses-missing-properties-without-message',
    'The refusal of a missing property has no message.',
    refused,
    whenRefused(validation, value => !('id' in value) || !('name' in value), noMessage),
  ),
  row(
    'refuses-null-with-text-error',
    'The refusal of null has a text as its error.',
    refused,
    whenRefused(
      ['id', 'name', 'tag'],
      value => Object.values(value).includes(null),
      answer => withJson(answer, 400, { error: 'null', message: 'null' }),
    ),
  ),
  row(
    'crashes-on-null-body',
    'A body of null gets a 500.',
    refused,
    whenRefused(['body'], ({ top }) => top === null, crash),
  ),
  row(
    'crashes-on-array-body',
    'An array for a plant gets a 500.',
    refused,
    whenRefused(['body'], ({ top }) => Array.isArray(top), crashPage),
  ),
  row(
    'crashes-on-scalar-body',
    'A text or number for a plant gets a 500.',
    refused,
    whenRefused(['body'], ({ top }) => top !== null && typeof top !== 'object', crash),
  ),
  row(
    'crashes-on-empty-object',
    'An empty object gets a 500.',
    refused,
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
    'An object for an id gets a 500.',
    at('id'),
    whenRefused(['id'], ({ id }) => isObject(id), crash),
  ),
  row(
    'crashes-on-fraction',
    'A fraction for an id gets a 500.',
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
    'A number for a name gets a 500.',
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
    'An object for a name gets a 500.',
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
    'An array for a tag gets a 500.',
    at('tag'),
    whenRefused(['tag'], ({ tag }) => Array.isArray(tag), crash),
  ),
  row(
    'hangs-on-object-name',
    'An object for a name gets no answer.',
    at('name'),
    whenRefused(['name'], ({ name }) => isObject(name), hang),
  ),
  row(
    'hangs-on-array-id',
    'An array for an id gets no answer.',
    at('id'),
    whenRefused(['id'], ({ id }) => Array.isArray(id), hang),
  ),
  row(
    'hangs-on-null-body',
    'A body of null gets no answer.',
    refused,
    whenRefused(['body'], ({ top }) => top === null, hang),
  ),
  row(
    'resets-on-boolean-id',
    'A boolean for an id resets the connection.',
    at('id'),
    whenRefused(['id'], ({ id }) => typeof id === 'boolean', reset),
  ),
  row(
    'hangs-up-on-array-body',
    'An array for a plant ends the connection.',
    refused,
    whenRefused(['body'], ({ top }) => Array.isArray(top), hangUp),
  ),
  row(
    'checks-plants-with-tag-only',
    'Plants without a tag are not checked.',
    /^createPlant\/request\/body\//,
    {
      id: () => true,
      name: () => true,
      respond: (answer, asked) => {
        const value = reads(asked)
        if (answer.cause !== 'none' || !('tag' in value)) return answer
        if (isInt64(value.id) && isText(value.name)) return answer
        return withJson(answer, 400, { error: 1, message: 'invalid plant' })
      },
    },
  ),
]
