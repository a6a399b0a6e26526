import type { Level } from '../obligation.ts'

/** A kind of string that `type: string` allows. */
export type TextKind = {
  readonly name: string
  readonly level: Level
  readonly texts: readonly string[]
  /** A noun phrase. */
  readonly input: string
}

const ordinary = (name: string, input: string, ...texts: readonly string[]): TextKind => ({
  name,
  level: 'MUST',
  texts,
  input,
})
// A server may have limits that its document does not show, so a proper rejection of these is only a warning.
const extreme = (name: string, input: string, ...texts: readonly string[]): TextKind => ({
  name,
  level: 'SHOULD',
  texts,
  input,
})

export const textKinds: readonly TextKind[] = [
  ordinary('ascii', 'a string of plain letters', 'Fern', 'a', 'Boston fern (large)'),
  ordinary('accents', 'a string with accented letters', 'Édelweiß', 'Çiçeği', 'Łąka'),
  ordinary('right-to-left', 'a string in right-to-left script', 'נרקיס', 'ياسمين'),
  ordinary('ideographs', 'a string of ideographs', '植物', '꽃'),
  ordinary('quotes', 'a string with quotation marks', `"double"`, `it's`, '`back`'),
  ordinary(
    'typographic',
    'a string with typographic quotes, dashes or signs',
    '“quoted”',
    'a – b',
    '10 € ©',
    'ﬁg², Ａ',
  ),
  ordinary(
    'backslash',
    'a string with slashes or backslashes',
    'a\\b',
    'c:\\new\\table',
    '\\q\\',
    'a/b',
    '\\u0041\\n',
  ),
  ordinary(
    'markup',
    'a string of markup',
    '<b>bold</b>',
    '<script>alert(1)</script>',
    '&amp; &lt;',
    'it&#39;s',
  ),
  ordinary('percent', 'a string with percent signs', '100%', '%s%d%n', '%00', '%2F%zz', 'a%20b+c'),
  ordinary(
    'template',
    'a string with template placeholders',
    '$' + '{name}',
    '{{name}}',
    '{0}',
    '#{x}',
    'a $& b $$ $1 $HOME',
  ),
  ordinary('sql', 'a string with SQL fragments', "'; DROP TABLE x; --", '1 OR 1=1'),
  ordinary(
    'proto',
    'a string that names an inherited property',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ),
  ordinary('numeral', 'a string of digits', '0', '0123', '1e5', '-1', '1.50', '+1'),
  ordinary('word', 'a string that spells a literal', 'null', 'true', 'undefined', 'NaN', 'no', 'Yes'),
  ordinary('json', 'a string of JSON', '{"a":1}', '[]', '"x"'),
  ordinary(
    'punctuation',
    'a string with separators or comment marks',
    'a,b;c',
    '# one',
    '// two',
    '/* three */',
    'a=b&c=d',
    '../x',
    '=SUM(A1)',
    'a--b...',
    '}{ ] [',
  ),
  ordinary(
    'date',
    'a string that is a date or a time',
    '2024-02-29',
    '2024-02-29T12:00:00+02:00',
    '31.12.2024',
    '2024-02-29T12:00:00.120Z',
    '12/31/2024',
    '12:30',
  ),
  ordinary(
    'address',
    'a string that is an address',
    'HTTP://Example.com',
    'Ann+b@Example.COM',
    'https://a.test:443/b/../c//?x=y#',
    '+41 44 000 00 00',
  ),
  ordinary('long-255', 'a string of 255 characters', 'x'.repeat(255)),
  extreme('empty', 'an empty string', ''),
  extreme('blank', 'a string of spaces', ' ', '   ', '\u00a0'),
  extreme('padded', 'a string with leading or trailing spaces', ' fern', 'fern ', '  fern  '),
  extreme(
    'inner-spaces',
    'a string with unusual spaces between words',
    'a  b',
    'a\u00a0b',
    'a\u2009b\u3000c',
  ),
  extreme('newline', 'a string with line breaks or tabs', 'a\nb', 'a\r\nb', 'a\tb', 'a\rb', 'a\n\nb'),
  extreme('control', 'a string with control characters', '\u0001', 'a\u001fb', '\u007f', '\u0085'),
  extreme('nul', 'a string with the NUL character', 'a\u0000b', '\u0000'),
  extreme('line-separator', 'a string with a line or paragraph separator', 'a\u2028b', 'a\u2029b'),
  extreme('combining', 'a string with combining marks', 'e\u0301', 'a\u0308\u0323', 'Zo\u0065\u0308'),
  extreme('astral', 'a string with characters beyond U+FFFF', '🌱', '𝒳', '👩\u200d🌾'),
  extreme(
    'zero-width',
    'a string with invisible characters',
    'a\u200bb',
    '\u200e',
    'a\ufeffb',
    '\ufeffa',
    'a\u00ad\u200c\u2060b',
  ),
  extreme('noncharacter', 'a string with noncharacters or replacement characters', 'a\uffffb', 'a\ufffdb'),
  extreme('long-256', 'a string of 256 characters', 'x'.repeat(256)),
  extreme('long-4096', 'a string of 4,096 characters', 'x'.repeat(4096)),
  extreme('long-65536', 'a string of 65,536 characters', 'x'.repeat(65_536)),
]
