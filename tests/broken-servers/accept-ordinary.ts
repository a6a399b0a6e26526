import { onPlant, refuse } from './faults.ts'
import type { Broken } from './model.ts'
import { rowsOf } from './row.ts'
import { accented, beyondAscii, either, has, longer, ofTag, rightToLeft, tag, text } from './texts.ts'

const row = rowsOf('accept')

/** Stores that refuse ordinary texts, correctly in all but that. */
export const refusingTextServers: readonly Broken[] = [
  row('refuses-double-quotes', 'Double quotes are refused.', text('quot|json'), either(has(/"/), refuse)),
  row(
    'refuses-apostrophes',
    'Apostrophes are refused.',
    text('quot|sql|apostrophe'),
    either(has(/'/), refuse),
  ),
  row('refuses-backslashes', 'Backslashes are refused.', text('backslash|path'), either(has(/\\/), refuse)),
  row('refuses-percent', 'Percent signs are refused.', text('percent'), either(has(/%/), refuse)),
  row(
    'refuses-markup',
    'Angle brackets are refused.',
    text('markup|html|script'),
    either(has(/[<>]/), refuse),
  ),
  row(
    'refuses-markup-in-tag',
    'Angle brackets in the tag are refused.',
    tag('markup|html|script'),
    ofTag(has(/[<>]/), refuse),
  ),
  row(
    'refuses-accents',
    'Accented letters are refused.',
    text('accent|latin|unicode'),
    either(has(accented), refuse),
  ),
  row(
    'refuses-beyond-ascii',
    'Everything beyond ASCII is refused.',
    text('.'),
    either(has(beyondAscii), refuse),
  ),
  row(
    'refuses-right-to-left',
    'Hebrew and Arabic are refused.',
    text('right-to-left|rtl|bidi'),
    either(has(rightToLeft), refuse),
  ),
  row('refuses-proto', 'The text __proto__ is refused.', text('proto'), either(has(/__proto__/), refuse)),
  row(
    'refuses-sql',
    'What looks like SQL is refused.',
    text('sql'),
    either(has(/\b(drop|union|select)\b|--/i), refuse),
  ),
  row(
    'refuses-texts-of-255',
    'Texts of 255 characters are refused.',
    text('long|255'),
    either(longer(254), refuse),
  ),
  row(
    'refuses-texts-of-100',
    'Texts of 100 characters are refused.',
    text('long|255'),
    either(longer(99), refuse),
  ),
  row(
    'refuses-tags-of-65',
    'Tags of more than 64 characters are refused.',
    tag('long|255'),
    ofTag(longer(64), refuse),
  ),
  row(
    'refuses-same-name-and-tag',
    'A tag that is the same as the name is refused.',
    /^createPlant\/request\/(body\/|valid$)/,
    onPlant(({ name, tag }) => name === tag, refuse),
  ),
]
