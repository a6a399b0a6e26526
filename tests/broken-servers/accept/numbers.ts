import {
  bodyText,
  crash,
  type Fault,
  hang,
  onPlant,
  reject,
  reset,
  unprocessable,
  when,
} from '../store/faults.ts'
import type { BrokenServer, Exchange } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'

const row = rowsOf('accept')

const ids = (classes: string) => new RegExp(`^createPlant/(request/body/id/(${classes})|response/declared)`)

const id = (matches: (id: bigint) => boolean, fault: Fault) => onPlant(plant => matches(plant.id), fault)

/** The id in the form in which it was sent. */
const written = (exchange: Exchange): string => /"id"\s*:\s*([^\s,}]+)/.exec(bodyText(exchange))?.[1] ?? ''

const form = (pattern: RegExp, fault: Fault) =>
  when((exchange, { cause }) => cause === 'none' && pattern.test(written(exchange)), fault)

const int64 = 2n ** 63n
const int32 = 2n ** 31n
const safe = 2n ** 53n

const beyondInt32 = '.*(int32|uint32|safe|2\\^53|53|int64|large|near)'
const beyondSafe = '.*(safe|2\\^53|53|int64|large|near)'

export const numberServers: readonly BrokenServer[] = [
  row(
    'rejects-id-zero',
    'The id 0 is rejected.',
    ids('.*zero'),
    id(value => value === 0n, reject),
  ),
  row(
    'crashes-on-id-zero',
    'The id 0 gets a 500.',
    ids('.*zero'),
    id(value => value === 0n, crash),
  ),
  row('rejects-negative-zero', 'The id −0 is rejected.', ids('.*zero'), form(/^-0$/, reject), {
    level: 'SHOULD',
  }),
  row('crashes-on-negative-zero', 'The id −0 gets a 500.', ids('.*zero'), form(/^-0$/, crash)),
  row(
    'rejects-id-one',
    'The id 1 is rejected.',
    ids('one|1'),
    id(value => value === 1n, reject),
  ),
  row(
    'rejects-negative-ids',
    'Negative ids are rejected.',
    ids('.*(minus|negative|min|below)'),
    id(value => value < 0n, reject),
  ),
  row(
    'crashes-on-negative-ids',
    'Negative ids get a 500.',
    ids('.*(minus|negative|min|below)'),
    id(value => value < 0n, crash),
  ),
  row(
    'rejects-ids-that-are-not-positive',
    'Ids below 1 are rejected.',
    ids('.*(zero|minus|negative|min|below)'),
    id(value => value <= 0n, reject),
  ),
  row(
    'rejects-minus-one',
    'The id −1 is rejected.',
    ids('.*(minus|negative)'),
    id(value => value === -1n, reject),
  ),
  row(
    'rejects-ids-beyond-int32',
    'Ids beyond int32 are rejected.',
    ids(beyondInt32),
    id(value => value !== BigInt.asIntN(32, value), reject),
  ),
  row(
    'crashes-on-ids-beyond-int32',
    'Ids beyond int32 get a 500.',
    ids(beyondInt32),
    id(value => value !== BigInt.asIntN(32, value), crash),
  ),
  row(
    'rejects-largest-int32',
    'The largest int32 is rejected.',
    ids('.*int32'),
    id(value => value === int32 - 1n, reject),
  ),
  row(
    'rejects-smallest-int32',
    'The smallest int32 is rejected.',
    ids('.*int32'),
    id(value => value === -int32, reject),
  ),
  row(
    'rejects-first-beyond-int32',
    'The first id above int32 is rejected.',
    ids('.*int32'),
    id(value => value === int32, reject),
  ),
  row(
    'rejects-ids-beyond-uint32',
    'Ids of more than 32 bits are rejected.',
    ids(beyondInt32),
    id(value => value >= 2n ** 32n || value <= -(2n ** 32n), reject),
  ),
  row(
    'rejects-unsafe-ids',
    'Ids beyond the safe integers of a double are rejected.',
    ids(beyondSafe),
    id(value => value >= safe || value <= -safe, reject),
  ),
  row(
    'crashes-on-unsafe-ids',
    'Ids beyond the safe integers of a double get a 500.',
    ids(beyondSafe),
    id(value => value >= safe || value <= -safe, crash),
  ),
  row(
    'answers-unsafe-ids-with-422',
    'Ids beyond the safe integers of a double get an undeclared 422.',
    ids(beyondSafe),
    id(value => value >= safe || value <= -safe, unprocessable),
  ),
  row(
    'rejects-ids-that-doubles-miss',
    'Ids that a double cannot represent are rejected.',
    ids(beyondSafe),
    id(value => BigInt(Number(value)) !== value, reject),
  ),
  row(
    'rejects-large-negative-ids',
    'Ids below −2^53 are rejected.',
    ids(beyondSafe),
    id(value => value < -safe, reject),
  ),
  row(
    'rejects-largest-int64',
    'The largest int64 is rejected.',
    ids('.*int64'),
    id(value => value === int64 - 1n, reject),
  ),
  row(
    'rejects-smallest-int64',
    'The smallest int64 is rejected.',
    ids('.*int64'),
    id(value => value === -int64, reject),
  ),
  row(
    'crashes-on-largest-int64',
    'The largest int64 gets a 500.',
    ids('.*int64'),
    id(value => value === int64 - 1n, crash),
  ),
  row(
    'crashes-on-smallest-int64',
    'The smallest int64 gets a 500.',
    ids('.*int64'),
    id(value => value === -int64, crash),
  ),
  row(
    'reads-largest-int64-as-double',
    'The largest int64 is rounded up, and rejected as too large.',
    ids('.*int64'),
    id(value => BigInt(Number(value)) >= int64, reject),
  ),
  row(
    'rejects-ids-of-nineteen-digits',
    'Ids of nineteen digits are rejected.',
    ids('.*int64'),
    id(value => value >= 10n ** 18n || value <= -(10n ** 18n), reject),
  ),
  row(
    'hangs-on-largest-int64',
    'The largest int64 gets no response.',
    ids('.*int64'),
    id(value => value === int64 - 1n, hang),
    hangs,
  ),
  row(
    'resets-on-ids-beyond-int32',
    'Ids beyond int32 reset the connection.',
    ids(beyondInt32),
    id(value => value !== BigInt.asIntN(32, value), reset),
  ),
  row(
    'rejects-decimal-form',
    'An id written 3.0 is rejected.',
    ids('.*(decimal|1\\.0|form)'),
    form(/\./, reject),
    // OpenAPI 3.1 and JSON Schema disagree on these spellings.
    { level: 'SHOULD' },
  ),
  row(
    'crashes-on-decimal-form',
    'An id written 3.0 gets a 500.',
    ids('.*(decimal|1\\.0|form|exponent)'),
    form(/\./, crash),
  ),
  row(
    'rejects-exponent-form',
    'An id written 1e3 is rejected.',
    ids('.*(exponent|1e3|form)'),
    form(/e/i, reject),
    { level: 'SHOULD' },
  ),
  row(
    'crashes-on-exponent-form',
    'An id written 1e3 gets a 500.',
    ids('.*(exponent|1e3|form)'),
    form(/e/i, crash),
  ),
  row(
    'rejects-all-but-digits',
    'Ids with a decimal point or an exponent are rejected.',
    ids('.*(decimal|exponent|form)'),
    form(/[.e]/i, reject),
    { level: 'SHOULD' },
  ),
]
