import { onPlant, reject } from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { accented, beyondAscii, either, has, longer, ofTag, rightToLeft, tag, text } from '../store/texts.ts'

const row = rowsOf('accept')

/** Stores that reject ordinary strings, with a declared failure. */
export const rejectingTextServers: readonly BrokenServer[] = [
  row('rejects-double-quotes', 'Double quotes are rejected.', text('quot|json'), either(has(/"/), reject)),
  row(
    'rejects-apostrophes',
    'Apostrophes are rejected.',
    text('quot|sql|apostrophe'),
    either(has(/'/), reject),
  ),
  row('rejects-backslashes', 'Backslashes are rejected.', text('backslash|path'), either(has(/\\/), reject)),
  row('rejects-percent', 'Percent signs are rejected.', text('percent'), either(has(/%/), reject)),
  row(
    'rejects-markup',
    'Angle brackets are rejected.',
    text('markup|html|script'),
    either(has(/[<>]/), reject),
  ),
  row(
    'rejects-markup-in-tag',
    'Angle brackets in the tag are rejected.',
    tag('markup|html|script'),
    ofTag(has(/[<>]/), reject),
  ),
  row(
    'rejects-accents',
    'Accented letters are rejected.',
    text('accent|latin|unicode'),
    either(has(accented), reject),
  ),
  row(
    'rejects-beyond-ascii',
    'Everything beyond ASCII is rejected.',
    text('.'),
    either(has(beyondAscii), reject),
  ),
  row(
    'rejects-right-to-left',
    'Hebrew and Arabic are rejected.',
    text('right-to-left|rtl|bidi'),
    either(has(rightToLeft), reject),
  ),
  row('rejects-proto', 'The string __proto__ is rejected.', text('proto'), either(has(/__proto__/), reject)),
  row(
    'rejects-sql',
    'Strings that look like SQL are rejected.',
    text('sql'),
    either(has(/\b(drop|union|select)\b|--/i), reject),
  ),
  row(
    'rejects-strings-of-255',
    'Strings of 255 characters are rejected.',
    text('long|255'),
    either(longer(254), reject),
  ),
  row(
    'rejects-strings-of-100',
    'Strings of 100 characters are rejected.',
    text('long|255'),
    either(longer(99), reject),
  ),
  row(
    'rejects-tags-of-65',
    'Tags of more than 64 characters are rejected.',
    tag('long|255'),
    ofTag(longer(64), reject),
  ),
  row(
    'rejects-same-name-and-tag',
    'A tag that equals the name is rejected.',
    /^createPlant\/request\/(body\/|valid$)/,
    onPlant(({ name, tag }) => name === tag, reject),
  ),
]
