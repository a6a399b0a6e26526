import type { BrokenServer, Cause, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const errors = /^createPlant\/response\/(400|declared|4)/

const failure = (make: (cause: Cause) => unknown): Partial<Parts> => ({ failure: make })

/** The error in exactly this form: JSON.stringify would write some numbers differently. */
const numeral = (text: string): Partial<Parts> => ({
  failure: () => ({ error: 'NUMERAL', message: 'rejected' }),
  write: value => JSON.stringify(value).replace('"NUMERAL"', text),
})

/** Errors of a wrong shape. */
export const errorServers: readonly BrokenServer[] = [
  row(
    'error-is-a-string',
    'The error is a string.',
    errors,
    failure(() => ({ error: 'invalid', message: 'rejected' })),
  ),
  row(
    'error-is-number-in-quotes',
    'The error is a quoted number.',
    errors,
    failure(() => ({ error: '400', message: 'rejected' })),
  ),
  row(
    'error-is-true',
    'The error is true.',
    errors,
    failure(() => ({ error: true, message: 'rejected' })),
  ),
  row(
    'error-is-null',
    'The error is null.',
    errors,
    failure(() => ({ error: null, message: 'rejected' })),
  ),
  row(
    'error-is-an-object',
    'The error is an object.',
    errors,
    failure(cause => ({ error: { code: 1, cause }, message: 'rejected' })),
  ),
  row(
    'error-is-an-array',
    'The error is an array.',
    errors,
    failure(() => ({ error: [1], message: 'rejected' })),
  ),
  row(
    'error-is-missing',
    'There is no error.',
    errors,
    failure(() => ({ message: 'rejected' })),
  ),
  row(
    'error-is-called-code',
    'The error is called code.',
    errors,
    failure(() => ({ code: 1, message: 'rejected' })),
  ),
  row(
    'error-above-int32',
    'The error is the first number above int32.',
    errors,
    failure(() => ({ error: 2 ** 31, message: 'rejected' })),
  ),
  row(
    'error-below-int32',
    'The error is the first number below int32.',
    errors,
    failure(() => ({ error: -(2 ** 31) - 1, message: 'rejected' })),
  ),
  row(
    'error-is-a-time',
    'The error is a time in milliseconds.',
    errors,
    failure(() => ({ error: 1_795_000_000_000, message: 'rejected' })),
  ),
  row(
    'error-is-unsigned',
    'The error is the largest unsigned 32-bit integer.',
    errors,
    failure(() => ({ error: 4_294_967_295, message: 'rejected' })),
  ),
  row(
    'error-is-a-fraction',
    'The error is a fraction.',
    errors,
    failure(() => ({ error: 400.1, message: 'rejected' })),
  ),
  row(
    'error-is-a-small-fraction',
    'The error is barely more than an integer.',
    errors,
    numeral('1.00000000000000000001'),
  ),
  row('error-is-enormous', 'The error overflows a double.', errors, numeral('1e400')),
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
    'The Error is inside a property error.',
    errors,
    failure(cause => ({ error: { error: 1, message: cause } })),
  ),
  row(
    'errors-in-a-list',
    'The Error is inside a list.',
    errors,
    failure(cause => [{ error: 1, message: cause }]),
  ),
  row(
    'errors-in-errors',
    'The Error is inside a list called errors.',
    errors,
    failure(cause => ({ errors: [{ error: 1, message: cause }] })),
  ),
  row(
    'errors-in-a-string',
    'The Error is JSON inside a JSON string.',
    errors,
    failure(cause => JSON.stringify({ error: 1, message: cause })),
  ),
  row(
    'errors-are-strings',
    'The Error is a string.',
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
