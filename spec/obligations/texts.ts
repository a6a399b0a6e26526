import type { Level } from '../obligation.ts'

/** A kind of string that a declared `type: string` takes in. */
export type TextKind = {
  readonly name: string
  readonly level: Level
  readonly texts: readonly string[]
  readonly about: string
}

const ordinary = (name: string, about: string, ...texts: readonly string[]): TextKind => ({
  name,
  level: 'MUST',
  texts,
  about,
})
// A server may have limits that its document does not show, so refusing these correctly is only a warning.
const extreme = (name: string, about: string, ...texts: readonly string[]): TextKind => ({
  name,
  level: 'SHOULD',
  texts,
  about,
})

export const textKinds: readonly TextKind[] = [
  ordinary('ascii', 'plain letters', 'Fern', 'a', 'Boston fern (large)'),
  ordinary('accents', 'letters with accents', 'Édelweiß', 'Çiçeği', 'Łąka'),
  ordinary('right-to-left', 'right-to-left script', 'נרקיס', 'ياسمين'),
  ordinary('ideographs', 'ideographs', '植物', '꽃'),
  ordinary('quotes', 'quotation marks', `"double"`, `it's`, '`back`'),
  ordinary('typographic', 'typographic quotes, dashes and signs', '“quoted”', 'a – b', '10 € ©'),
  ordinary('backslash', 'backslashes and slashes', 'a\\b', 'c:\\new\\table', '\\q\\', 'a/b'),
  ordinary('markup', 'markup', '<b>bold</b>', '<script>alert(1)</script>', '&amp; &lt;'),
  ordinary('percent', 'percent signs', '100%', '%s%d%n', '%00', '%2F%zz'),
  ordinary('template', 'template marks', '$' + '{name}', '{{name}}', '{0}', '#{x}'),
  ordinary('sql', 'statement fragments', "'; DROP TABLE x; --", '1 OR 1=1'),
  ordinary('proto', 'names that objects inherit', '__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  ordinary('numeral', 'digits only', '0', '0123', '1e5', '-1'),
  ordinary('word', 'words of the notation', 'null', 'true', 'undefined', 'NaN'),
  ordinary('json', 'text that is JSON', '{"a":1}', '[]', '"x"'),
  ordinary(
    'punctuation',
    'separators and comment marks',
    'a,b;c',
    '# one',
    '// two',
    '/* three */',
    'a=b&c=d',
    '../x',
  ),
  ordinary('long-255', '255 characters', 'x'.repeat(255)),
  extreme('empty', 'no character at all', ''),
  extreme('blank', 'spaces only', ' ', '   ', '\u00a0'),
  extreme('padded', 'spaces at the ends', ' fern', 'fern ', '  fern  '),
  extreme('newline', 'line ends and tabs', 'a\nb', 'a\r\nb', 'a\tb'),
  extreme('control', 'control characters', '\u0001', 'a\u001fb', '\u007f', '\u0085'),
  extreme('nul', 'the NUL character', 'a\u0000b', '\u0000'),
  extreme('line-separator', 'line and paragraph separators', 'a\u2028b', 'a\u2029b'),
  extreme('combining', 'combining marks', 'e\u0301', 'a\u0308\u0323', 'Zo\u0065\u0308'),
  extreme('astral', 'characters beyond the first plane', '🌱', '𝒳', '👩\u200d🌾'),
  extreme('zero-width', 'invisible characters', 'a\u200bb', '\u200e', 'a\ufeffb'),
  extreme('noncharacter', 'noncharacters and the replacement character', 'a\uffffb', 'a\ufffdb'),
  extreme('long-256', '256 characters', 'x'.repeat(256)),
  extreme('long-4096', '4,096 characters', 'x'.repeat(4096)),
  extreme('long-65536', '65,536 characters', 'x'.repeat(65_536)),
]
