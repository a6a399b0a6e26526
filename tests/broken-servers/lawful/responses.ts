import type { LawfulServer, Parts } from '../store/model.ts'
import { lawful as row } from './row.ts'

const failure = (error: number, message = 'rejected'): Partial<Parts> => ({
  failure: () => ({ error, message }),
})

const escapeAll = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Responses that are right in an uncommon way. */
export const uncommonResponses: readonly LawfulServer[] = [
  row('base', 'The plant store of the contract.', {}, { sustained: true }),
  row('sends-the-id-back', 'The Plant also contains the id.', {
    plant: ({ id, name, tag }) => ({ id: Number(BigInt.asIntN(53, id)), name, tag }),
  }),
  row('sends-more-than-declared', 'The Plant contains additional properties.', {
    plant: ({ name, tag }) => ({
      name,
      tag,
      createdAt: '2026-11-21T09:00:00Z',
      links: { self: '/plants/1' },
      native: null,
    }),
  }),
  row('adds-to-errors', 'The Error contains additional properties.', {
    failure: cause => ({
      error: 4,
      message: 'rejected',
      details: [{ path: cause, code: null }],
      status: 400,
    }),
  }),
  row('announces-charset', 'The content type has a charset.', {
    type: () => 'application/json; charset=utf-8',
  }),
  row('announces-charset-in-quotes', 'The content type has a quoted charset.', {
    type: () => 'application/json;charset="UTF-8"',
  }),
  row('announces-in-other-letter-case', 'The content type is in a different letter case.', {
    type: () => 'Application/JSON',
  }),
  row('prints-pretty', 'The JSON is indented.', { write: value => `${JSON.stringify(value, null, 2)}\n` }),
  row('pads-with-white-space', 'White space surrounds the JSON.', {
    write: value => `\r\n\t ${JSON.stringify(value)} \r\n`,
  }),
  row('escapes-all', 'All characters beyond ASCII are escaped.', { write: escapeAll }),
  row('escapes-markup', 'Angle brackets, ampersands and slashes are escaped.', {
    write: value =>
      JSON.stringify(value)
        .replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`)
        .replaceAll('/', '\\/'),
  }),
  row('reverses-properties', 'The properties come in reverse order.', {
    plant: ({ name, tag }) => (tag === undefined ? { name } : { tag, name }),
    failure: cause => ({ message: cause, error: 1 }),
  }),
  row('error-zero', 'The error is 0.', failure(0)),
  row('error-negative', 'The error is negative.', failure(-1)),
  row('error-at-the-top', 'The error is the largest int32.', failure(2_147_483_647)),
  row('error-at-the-bottom', 'The error is the smallest int32.', failure(-2_147_483_648)),
  row('error-in-decimal-form', 'The error is written 1.0, which is an integer in JSON Schema.', {
    failure: () => ({ error: 1, message: 'rejected' }),
    write: value => JSON.stringify(value).replace(/^\{"error":1,/, '{"error":1.0,'),
  }),
  row('error-in-exponent-form', 'The error is written 4e2, which is an integer in JSON Schema.', {
    failure: () => ({ error: 400, message: 'rejected' }),
    write: value => JSON.stringify(value).replace(/^\{"error":400,/, '{"error":4e2,'),
  }),
  row('message-empty', 'The message is empty.', failure(1, '')),
  row('message-long', 'The message is very long.', failure(1, 'no '.repeat(20_000))),
  row(
    'message-with-unusual-characters',
    'The message contains control characters, markup and emoji.',
    failure(1, '\u0000\u001b[31m <b>"Ünïcode"</b> 🌵 %s \u2028'),
  ),
  row('error-differs-each-time', 'The error counts up.', () => {
    let count = 0
    return {
      failure: () => {
        count += 1
        return { error: count, message: `rejection ${count}` }
      },
    }
  }),
  row('message-quotes-the-request', 'The message quotes the request.', {
    failure: (cause, { bytes }) => ({
      error: 1,
      message: `${cause}: ${bytes.toString('latin1').slice(0, 200)}`,
    }),
  }),
]
