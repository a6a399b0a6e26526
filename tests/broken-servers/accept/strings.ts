import {
  crash,
  crashPage,
  type Fault,
  hang,
  hangUp,
  reset,
  unprocessable,
  withText,
} from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import {
  accented,
  astral,
  beyondAscii,
  combining,
  either,
  has,
  longer,
  ofName,
  ofTag,
  rightToLeft,
  tag,
  text,
} from '../store/texts.ts'

const row = rowsOf('accept')

const forbidden: Fault = response => withText(response, 403, 'Request blocked', 'text/html')
const tooLarge: Fault = response => withText(response, 413, 'Payload Too Large')

/** Stores that fail on certain strings. */
export const failingTextServers: readonly BrokenServer[] = [
  row('crashes-on-double-quotes', 'Double quotes get a 500.', text('quot|json'), either(has(/"/), crash)),
  row(
    'crashes-on-apostrophes',
    'Apostrophes get a 500.',
    text('quot|sql|apostrophe'),
    either(has(/'/), crash),
  ),
  row(
    'crashes-on-apostrophes-in-tag',
    'Apostrophes in the tag get a 500.',
    tag('quot|sql|apostrophe'),
    ofTag(has(/'/), crash),
  ),
  row('crashes-on-backslashes', 'Backslashes get a 500.', text('backslash|path'), either(has(/\\/), crash)),
  row('crashes-on-percent', 'Percent signs get a 500.', text('percent'), either(has(/%/), crash)),
  row(
    'crashes-on-bad-percent-escape',
    'Percent signs that no two digits follow get a 500.',
    text('percent'),
    either(has(/%(?![0-9a-f]{2})/i), crash),
  ),
  row('crashes-on-nul', 'NUL characters get a 500.', text('nul|control'), either(has(/\0/), crash)),
  row(
    'crashes-on-nul-in-tag',
    'A NUL character in the tag gets a 500.',
    tag('nul|control'),
    ofTag(has(/\0/), crashPage),
  ),
  row(
    'crashes-on-control-characters',
    'Control characters get a 500.',
    text('control|nul|newline|tab|line'),
    either(has(/\p{Cc}/u), crash),
  ),
  row('crashes-on-newlines', 'Line feeds get a 500.', text('newline|control|line'), either(has(/\n/), crash)),
  row(
    'crashes-on-line-separators',
    'Line separators (U+2028, U+2029) get a 500.',
    text('line'),
    either(has(/[\u2028\u2029]/), crash),
  ),
  row(
    'crashes-on-astral-characters',
    'Characters beyond the first plane get a 500.',
    text('astral|emoji|surrogate'),
    either(has(astral), crash),
  ),
  row(
    'crashes-on-astral-tag',
    'A tag with characters beyond the first plane gets a 500.',
    tag('astral|emoji|surrogate'),
    ofTag(has(astral), crash),
  ),
  row(
    'crashes-on-combining-characters',
    'Combining characters get a 500.',
    text('combining'),
    either(has(combining), crash),
  ),
  row(
    'crashes-on-accents',
    'Accented letters get a 500.',
    text('accent|combining|unicode|latin'),
    either(has(accented), crash),
  ),
  row(
    'crashes-beyond-ascii',
    'Everything beyond ASCII gets a 500.',
    text('.'),
    either(has(beyondAscii), crash),
  ),
  row(
    'crashes-on-right-to-left',
    'Hebrew and Arabic get a 500.',
    text('right-to-left|rtl|bidi'),
    either(has(rightToLeft), crash),
  ),
  row('crashes-on-proto', 'The string __proto__ gets a 500.', text('proto'), either(has(/__proto__/), crash)),
  row(
    'crashes-on-markup',
    'Script elements get a 500.',
    text('markup|html|script'),
    either(has(/<script/i), crash),
  ),
  row(
    'crashes-on-empty-name',
    'An empty name gets a 500.',
    text('empty'),
    ofName(value => value === '', crash),
  ),
  row(
    'crashes-on-empty-tag',
    'An empty tag gets a 500.',
    tag('empty'),
    ofTag(value => value === '', crash),
  ),
  row(
    'crashes-on-blank-strings',
    'Strings of white space alone get a 500.',
    text('blank|space|white|empty'),
    either(value => value !== '' && value.trim() === '', crash),
  ),
  row(
    'crashes-on-long-strings',
    'Strings of more than 255 characters get a 500.',
    text('long|256'),
    either(longer(255), crash),
  ),
  row(
    'crashes-on-long-tag',
    'A tag of more than 255 characters gets a 500.',
    tag('long|256'),
    ofTag(longer(255), crash),
  ),
  row(
    'crashes-on-strings-of-1024',
    'Strings of more than 1,024 characters get a 500.',
    text('long|4096|65536'),
    either(longer(1024), crash),
  ),
  row(
    'crashes-on-strings-of-4096',
    'Strings of 4,096 characters or more get a 500.',
    text('long|4096|65536'),
    either(longer(4095), crash),
  ),
  row(
    'crashes-on-strings-of-65536',
    'Strings of 65,536 characters or more get a 500.',
    text('long|65536'),
    either(longer(65_535), crash),
  ),
  row(
    'answers-long-strings-with-413',
    'Strings of more than 1,024 characters get an undeclared 413.',
    text('long|4096|65536'),
    either(longer(1024), tooLarge),
  ),
  row(
    'answers-long-strings-with-422',
    'Strings of more than 255 characters get an undeclared 422.',
    text('long|256'),
    either(longer(255), unprocessable),
  ),
  row(
    'answers-empty-strings-with-422',
    'Empty strings get an undeclared 422.',
    text('empty'),
    either(value => value === '', unprocessable),
  ),
  row(
    'blocks-markup',
    'Markup is blocked by a page with an undeclared 403.',
    text('markup|html|script'),
    either(has(/<[a-z]/i), forbidden),
  ),
  row(
    'blocks-sql',
    'Strings that look like SQL are blocked by a page with an undeclared 403.',
    text('sql|quot'),
    either(has(/\b(drop|union|select)\b|--/i), forbidden),
  ),
  row(
    'hangs-on-long-strings',
    'Strings of 4,096 characters or more get no response.',
    text('long|4096|65536'),
    either(longer(4095), hang),
    hangs,
  ),
  row('hangs-on-percent', 'Percent signs get no response.', text('percent'), either(has(/%/), hang), hangs),
  row('resets-on-nul', 'NUL characters reset the connection.', text('nul|control'), either(has(/\0/), reset)),
  row(
    'hangs-up-on-astral-characters',
    'Characters beyond the first plane end the connection.',
    text('astral|emoji|surrogate'),
    either(has(astral), hangUp),
  ),
  row(
    'hangs-up-on-long-strings',
    'Strings of 65,536 characters or more end the connection.',
    text('long|65536'),
    either(longer(65_535), hangUp),
  ),
]
