import type { Broken, Cause, Parts } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('answer')

const errors = /^createPlant\/response\/(400|declared|4)/

const failure = (make: (cause: Cause) => unknown): Partial<Parts> => ({ failure: make })

/** The number as it is written here; JSON.stringify would write some of them otherwise. */
const numeral = (text: string): Partial<Parts> => ({
  failure: () => ({ error: 'NUMERAL', message: 'refused' }),
  write: value => JSON.stringify(value).replace('"NUMERAL"', text),
})

/** Errors of another shape. */
export const errorServers: readonly Broken[] = [
  row(
    'error-is-text',
    'The error is a text.',
    errors,
    failure(() => ({ error: 'invalid', message: 'refused' })),
  ),
  row(
    'error-is-number-in-quotes',
    'The error is a number in quotes.',
    errors,
    failure(() => ({ error: '400', message: 'refused' })),
  ),
  row(
    'error-is-true',
    'The error is true.',
    errors,
    failure(() => ({ error: true, message: 'refused' })),
  ),
  row(
    'error-is-null',
    'The error is null.',
    errors,
    failure(() => ({ error: null, message: 'refused' })),
  ),
  row(
    'error-is-an-object',
    'The error is an object.',
    errors,
    failure(cause => ({ error: { code: 1, cause }, message: 'refused' })),
  ),
  row(
    'error-is-an-array',
    'The error is an array.',
    errors,
    failure(() => ({ error: [1], message: 'refused' })),
  ),
  row(
    'error-is-missing',
    'There is no error.',
    errors,
    failure(() => ({ message: 'refused' })),
  ),
  row(
    'error-is-called-code',
    'The error is called code.',
    errors,
    failure(() => ({ code: 1, message: 'refused' })),
  ),
  row(
    'error-above-int32',
    'The error is the first number above int32.',
    errors,
    failure(() => ({ error: 2 ** 31, message: 'refused' })),
  ),
  row(
    'error-below-int32',
    'The error is the first number below int32.',
    errors,
    failure(() => ({ error: -(2 ** 31) - 1, message: 'refused' })),
  ),
  row(
    'error-is-a-time',
    'The error is a time in milliseconds.',
    errors,
    failure(() => ({ error: 1_795_000_000_000, message: 'refused' })),
  ),
  row(
    'error-is-unsigned',
    'The error is the largest number of 32 bits without a sign.',
    errors,
    failure(() => ({ error: 4_294_967_295, message: 'refused' })),
  ),
  row(
    'error-is-a-fraction',
    'The error is a fraction.',
    errors,
    failure(() => ({ error: 400.1, message: 'refused' })),
  ),
  row(
    'error-is-a-small-fraction',
    'The error is an integer and very little more.',
    errors,
    numeral('1.00000000000000000001'),
  ),
  row('error-is-enormous', 'The error is beyond all doubles.', errors, numeral('1e400')),
  row(
    'message-is-missing',
    'There is no message.',
    errors,
    failure(() => ({ error: 1 })),
  ),
  row(
    'message-is-null',
    'The message is null.',
    errors,
    failure(() => ({ error: 1, message: null })),
  ),
  row(
    'message-is-a-number',
    'The message is a number.',
    errors,
    failure(() => ({ error: 1, message: 400 })),
  ),
  row(
    'message-is-a-list',
    'The message is a list.',
    errors,
    failure(cause => ({ error: 1, message: [cause] })),
  ),
  row(
    'message-is-an-object',
    'The message is an object.',
    errors,
    failure(cause => ({ error: 1, message: { en: cause } })),
  ),
  row(
    'message-is-called-msg',
    'The message is called msg.',
    errors,
    failure(cause => ({ error: 1, msg: cause })),
  ),
  row(
    'errors-in-an-envelope',
    'The Error is nested in error.',
    errors,
    failure(cause => ({ error: { error: 1, message: cause } })),
  ),
  row(
    'errors-in-a-list',
    'The Error stands in a list.',
    errors,
    failure(cause => [{ error: 1, message: cause }]),
  ),
  row(
    'errors-in-errors',
    'The Error is one of errors.',
    errors,
    failure(cause => ({ errors: [{ error: 1, message: cause }] })),
  ),
  row(
    'errors-in-a-string',
    'The Error is JSON in a JSON text.',
    errors,
    failure(cause => JSON.stringify({ error: 1, message: cause })),
  ),
  row(
    'errors-are-strings',
    'The Error is a text.',
    errors,
    failure(cause => cause),
  ),
  row(
    'errors-are-null',
    'The Error is null.',
    errors,
    failure(() => null),
  ),
  row(
    'errors-are-empty-objects',
    'The Error is an empty object.',
    errors,
    failure(() => ({})),
  ),
]
