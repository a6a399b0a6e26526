import { bodyText, crash, type Failing, hang, onPlant, refuse, reset, unprocessable, when } from './faults.ts'
import type { Asked, Broken } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('accept')

const ids = (classes: string) => new RegExp(`^createPlant/(request/body/id/(${classes})|response/declared)`)

const id = (looks: (id: bigint) => boolean, failing: Failing) => onPlant(plant => looks(plant.id), failing)

/** The id as it was written. */
const written = (asked: Asked): string => /"id"\s*:\s*([^\s,}]+)/.exec(bodyText(asked))?.[1] ?? ''

const form = (pattern: RegExp, failing: Failing) =>
  when((asked, { cause }) => cause === 'none' && pattern.test(written(asked)), failing)

const int64 = 2n ** 63n
const int32 = 2n ** 31n
const safe = 2n ** 53n

const beyondInt32 = '.*(int32|uint32|safe|2\\^53|53|int64|large|near)'
const beyondSafe = '.*(safe|2\\^53|53|int64|large|near)'

export const numberServers: readonly Broken[] = [
  row(
    'refuses-id-zero',
    'The id 0 is refused.',
    ids('.*zero'),
    id(given => given === 0n, refuse),
  ),
  row(
    'crashes-on-id-zero',
    'The id 0 gets a 500.',
    ids('.*zero'),
    id(given => given === 0n, crash),
  ),
  row('refuses-negative-zero', 'The id −0 is refused.', ids('.*zero'), form(/^-0$/, refuse)),
  row('crashes-on-negative-zero', 'The id −0 gets a 500.', ids('.*zero'), form(/^-0$/, crash)),
  row(
    'refuses-id-one',
    'The id 1 is refused.',
    ids('one|1'),
    id(given => given === 1n, refuse),
  ),
  row(
    'refuses-negative-ids',
    'Negative ids are refused.',
    ids('.*(minus|negative|min|below)'),
    id(given => given < 0n, refuse),
  ),
  row(
    'crashes-on-negative-ids',
    'Negative ids get a 500.',
    ids('.*(minus|negative|min|below)'),
    id(given => given < 0n, crash),
  ),
  row(
    'refuses-ids-that-are-not-positive',
    'Ids have to be above 0.',
    ids('.*(zero|minus|negative|min|below)'),
    id(given => given <= 0n, refuse),
  ),
  row(
    'refuses-minus-one',
    'The id −1 is refused.',
    ids('.*(minus|negative)'),
    id(given => given === -1n, refuse),
  ),
  row(
    'refuses-ids-beyond-int32',
    'Ids beyond int32 are refused.',
    ids(beyondInt32),
    id(given => given !== BigInt.asIntN(32, given), refuse),
  ),
  row(
    'crashes-on-ids-beyond-int32',
    'Ids beyond int32 get a 500.',
    ids(beyondInt32),
    id(given => given !== BigInt.asIntN(32, given), crash),
  ),
  row(
    'refuses-largest-int32',
    'The largest int32 is refused.',
    ids('.*int32'),
    id(given => given === int32 - 1n, refuse),
  ),
  row(
    'refuses-smallest-int32',
    'The smallest int32 is refused.',
    ids('.*int32'),
    id(given => given === -int32, refuse),
  ),
  row(
    'refuses-first-beyond-int32',
    'The first id above int32 is refused.',
    ids('.*int32'),
    id(given => given === int32, refuse),
  ),
  row(
    'refuses-ids-beyond-uint32',
    'Ids of more than 32 bits are refused.',
    ids(beyondInt32),
    id(given => given >= 2n ** 32n || given <= -(2n ** 32n), refuse),
  ),
  row(
    'refuses-unsafe-ids',
    'Ids that a double may not hold are refused.',
    ids(beyondSafe),
    id(given => given >= safe || given <= -safe, refuse),
  ),
  row(
    'crashes-on-unsafe-ids',
    'Ids that a double may not hold get a 500.',
    ids(beyondSafe),
    id(given => given >= safe || given <= -safe, crash),
  ),
  row(
    'answers-unsafe-ids-with-422',
    'Ids that a double may not hold get an undeclared 422.',
    ids(beyondSafe),
    id(given => given >= safe || given <= -safe, unprocessable),
  ),
  row(
    'refuses-ids-that-doubles-miss',
    'Ids that a double does not hold are refused.',
    ids(beyondSafe),
    id(given => BigInt(Number(given)) !== given, refuse),
  ),
  row(
    'refuses-large-negative-ids',
    'Ids below −2^53 are refused.',
    ids(beyondSafe),
    id(given => given < -safe, refuse),
  ),
  row(
    'refuses-largest-int64',
    'The largest int64 is refused.',
    ids('.*int64'),
    id(given => given === int64 - 1n, refuse),
  ),
  row(
    'refuses-smallest-int64',
    'The smallest int64 is refused.',
    ids('.*int64'),
    id(given => given === -int64, refuse),
  ),
  row(
    'crashes-on-largest-int64',
    'The largest int64 gets a 500.',
    ids('.*int64'),
    id(given => given === int64 - 1n, crash),
  ),
  row(
    'crashes-on-smallest-int64',
    'The smallest int64 gets a 500.',
    ids('.*int64'),
    id(given => given === -int64, crash),
  ),
  row(
    'reads-largest-int64-as-double',
    'The largest int64 is rounded up, and refused as too large.',
    ids('.*int64'),
    id(given => BigInt(Number(given)) >= int64, refuse),
  ),
  row(
    'refuses-ids-of-nineteen-digits',
    'Ids of nineteen digits are refused.',
    ids('.*int64'),
    id(given => given >= 10n ** 18n || given <= -(10n ** 18n), refuse),
  ),
  row(
    'hangs-on-largest-int64',
    'The largest int64 gets no answer.',
    ids('.*int64'),
    id(given => given === int64 - 1n, hang),
  ),
  row(
    'resets-on-ids-beyond-int32',
    'Ids beyond int32 reset the connection.',
    ids(beyondInt32),
    id(given => given !== BigInt.asIntN(32, given), reset),
  ),
  row(
    'refuses-decimal-form',
    'An id written 3.0 is refused.',
    ids('.*(decimal|1\\.0|form)'),
    form(/\./, refuse),
  ),
  row(
    'crashes-on-decimal-form',
    'An id written 3.0 gets a 500.',
    ids('.*(decimal|1\\.0|form|exponent)'),
    form(/\./, crash),
  ),
  row(
    'refuses-exponent-form',
    'An id written 1e3 is refused.',
    ids('.*(exponent|1e3|form)'),
    form(/e/i, refuse),
  ),
  row(
    'crashes-on-exponent-form',
    'An id written 1e3 gets a 500.',
    ids('.*(exponent|1e3|form)'),
    form(/e/i, crash),
  ),
  row(
    'refuses-all-but-digits',
    'An id may be written in digits and a sign only.',
    ids('.*(decimal|exponent|form)'),
    form(/[.e]/i, refuse),
  ),
]
