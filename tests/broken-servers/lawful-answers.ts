import { lawful as row } from './lawful-row.ts'
import type { Lawful, Parts } from './model.ts'

const failure = (error: number, message = 'refused'): Partial<Parts> => ({
  failure: () => ({ error, message }),
})

const escapeAll = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Answers that are right in an uncommon way. */
export const uncommonAnswers: readonly Lawful[] = [
  row('base', 'The plant store as the contract has it.', {}),
  row('sends-the-id-back', 'The Plant carries the id too.', {
    plant: ({ id, name, tag }) => ({ id: Number(BigInt.asIntN(53, id)), name, tag }),
  }),
  row('sends-more-than-declared', 'The Plant carries further properties.', {
    plant: ({ name, tag }) => ({
      name,
      tag,
      createdAt: '2026-11-21T09:00:00Z',
      links: { self: '/plants/1' },
      native: null,
    }),
  }),
  row('adds-to-errors', 'The Error carries further properties.', {
    failure: cause => ({ error: 4, message: 'refused', details: [{ path: cause, code: null }], status: 400 }),
  }),
  row('announces-charset', 'The content type names a charset.', {
    type: () => 'application/json; charset=utf-8',
  }),
  row('announces-charset-in-quotes', 'The content type names a charset in quotes.', {
    type: () => 'application/json;charset="UTF-8"',
  }),
  row('announces-in-other-letter-case', 'The content type is in other letter case.', {
    type: () => 'Application/JSON',
  }),
  row('prints-pretty', 'The JSON is indented.', { write: value => `${JSON.stringify(value, null, 2)}\n` }),
  row('prints-blanks', 'The JSON stands among blanks.', {
    write: value => `\r\n\t ${JSON.stringify(value)} \r\n`,
  }),
  row('escapes-all', 'Everything beyond ASCII is escaped.', { write: escapeAll }),
  row('escapes-markup', 'Signs of markup and slashes are escaped.', {
    write: value =>
      JSON.stringify(value)
        .replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`)
        .replaceAll('/', '\\/'),
  }),
  row('reverses-properties', 'The properties stand the other way round.', {
    plant: ({ name, tag }) => (tag === undefined ? { name } : { tag, name }),
    failure: cause => ({ message: cause, error: 1 }),
  }),
  row('error-zero', 'The error is 0.', failure(0)),
  row('error-negative', 'The error is negative.', failure(-1)),
  row('error-at-the-top', 'The error is the largest int32.', failure(2_147_483_647)),
  row('error-at-the-bottom', 'The error is the smallest int32.', failure(-2_147_483_648)),
  row('error-in-decimal-form', 'The error is written 1.0, an integer by JSON Schema.', {
    failure: () => ({ error: 1, message: 'refused' }),
    write: value => JSON.stringify(value).replace(/^\{"error":1,/, '{"error":1.0,'),
  }),
  row('error-in-exponent-form', 'The error is written 4e2, an integer by JSON Schema.', {
    failure: () => ({ error: 400, message: 'refused' }),
    write: value => JSON.stringify(value).replace(/^\{"error":400,/, '{"error":4e2,'),
  }),
  row('message-empty', 'The message is empty.', failure(1, '')),
  row('message-long', 'The message is very long.', failure(1, 'no '.repeat(20_000))),
  row(
    'message-of-all-kinds',
    'The message holds signs of every kind.',
    failure(1, '\u0000\u001b[31m <b>"Ünïcode"</b> 🌵 %s \u2028'),
  ),
  row('error-differs-each-time', 'The error counts up.', () => {
    let count = 0
    return {
      failure: () => {
        count += 1
        return { error: count, message: `refusal ${count}` }
      },
    }
  }),
  row('message-quotes-the-request', 'The message quotes what was sent.', {
    failure: (cause, { bytes }) => ({
      error: 1,
      message: `${cause}: ${bytes.toString('latin1').slice(0, 200)}`,
    }),
  }),
]
