import {
  endsEarly,
  hasOtherSpace,
  isClosedNesting,
  isDoubled,
  isNested,
  isUtf8,
  isUtf16,
  lacksComma,
  literal,
  notUtf8,
  otherNumeral,
  syntaxError,
} from './broken-json.ts'
import { before, inValue, isInBrackets, replaceText, textValue } from './json-text.ts'
import { lenientKinds } from './lenient-json.ts'
import { choose, type MalformedJsonKind, textKind as text, utf8 } from './malformed-json-kind.ts'
import { otherFormats } from './other-formats.ts'

export type { MalformedJsonKind } from './malformed-json-kind.ts'

/** Nested arrays instead of the first text, or around the whole if there is none or any value may stand there. */
const nested = (valid: string, pick: number, depth: number): string => {
  const [open, close] = ['['.repeat(depth), ']'.repeat(depth)]
  return pick % 2 === 0 && textValue.test(valid)
    ? replaceText(valid, () => open + close)
    : open + valid + close
}

export const malformedKinds: readonly MalformedJsonKind[] = [
  text(
    'truncated',
    'truncated',
    (valid, pick) => {
      // A part of a number is a number, but for an exponent without digits.
      if (/^-?\d+(?:\.\d+)?$/.test(valid)) return choose([`${valid}e`, `${valid}e-`], pick)
      const cuts = [
        1,
        valid.length - 1,
        Math.floor(valid.length / 2),
        2,
        valid.length - 2,
        Math.floor(valid.length / 3),
      ]
      const cut = pick < cuts.length ? cuts[pick] : 1 + (pick % (valid.length - 1))
      return valid.slice(0, Math.max(1, Math.min(valid.length - 1, cut ?? 1)))
    },
    text => !isNested(text) && !/^-?\d+\.$/.test(text) && endsEarly(text),
  ),
  text(
    'trailing-comma',
    'trailing comma',
    valid => before(valid, ','),
    /,(?<!,\s*,)\s*[}\]]\s*$/,
    'brackets',
  ),
  text(
    'missing-comma',
    'missing comma',
    (valid, pick) =>
      valid.includes(',"')
        ? valid.replace(',"', choose([' "', '"'], pick))
        : before(valid, /^\s*\{/.test(valid) ? ' "a":1' : /^\s*\[\s*\]/.test(valid) ? '7 7' : ' 7'),
    lacksComma,
    'items',
  ),
  text('missing-colon', 'missing colon', valid => valid.replace(/":/, '" '), /\{\s*""\s+[^\s:}]/, 'member'),
  text(
    'single-quotes',
    'single quotes',
    // All of them, or those of the first value.
    (valid, pick) =>
      pick % 2 === 1 && textValue.test(valid) ? replaceText(valid, () => "'a'") : valid.replaceAll('"', "'"),
    /^\s*(?:[[{][^"]*)?'|[:[]\s*'/,
    'quote',
  ),
  // JSON5 takes names of letters and digits alone.
  text(
    'bare-name',
    'unquoted name',
    valid => valid.replace(/"\w+":/.test(valid) ? /"(\w+)":/ : /"([^"\\']*)":/, '$1:'),
    /[{,]\s*[^\s"'`“”«»&\\{},[\]:]+\s*:/,
    'member',
  ),
  text(
    'comment',
    'comment',
    (valid, pick) =>
      choose(
        isInBrackets(valid)
          ? [
              `/* a */${valid}`,
              `${valid.slice(0, 1)}/* a */${valid.slice(1)}`,
              `${valid.slice(0, 1)}// a\n${valid.slice(1)}`,
              `${valid.slice(0, 1)}# a\n${valid.slice(1)}`,
              `${valid.slice(0, 1)}<!-- a -->${valid.slice(1)}`,
            ]
          : [`/* a */${valid}`, `// a\n${valid}`],
        pick,
      ),
    /(?:\/[*/]|#|<!--) a/,
  ),
  text(
    'nan',
    'NaN or Infinity',
    (valid, pick) => inValue(valid, pick, 'number', () => ['NaN', 'Infinity', '-Infinity']),
    /(?:^|[:,[])\s*-?(?:NaN|Infinity)\b/,
  ),
  text(
    'leading-zero',
    'leading zero',
    (valid, pick) => inValue(valid, pick, 'number', digits => [`0${digits}`, `-0${digits}`, `00${digits}`]),
    /(?:^|[:,[])\s*-?0\d/,
  ),
  text(
    'plus-sign',
    'plus sign',
    (valid, pick) => inValue(valid, pick, 'number', digits => [`+${digits}`, `+${digits}.0`]),
    /(?:^|[:,[])\s*\+/,
  ),
  text(
    'bare-point',
    'no digit before or after the decimal point',
    (valid, pick) =>
      inValue(valid, pick, 'number', digits => [`${digits}.`, `.${digits}`, `-${digits}.`, `${digits}.e0`]),
    /(?:^|[:,[])\s*-?(?:\.\d|\d+\.(?!\d))(?!$)|^-?(?:\d+\.|\.\d+)$/,
  ),
  text(
    'other-base',
    'number literal of a programming language',
    (valid, pick) =>
      inValue(valid, pick, 'number', digits => [
        `0x${BigInt(digits).toString(16)}`,
        `${digits}n`,
        `${digits}_0`,
        `0b${BigInt(digits).toString(2)}`,
        `${digits} 0`,
        digits.replace(/\d/g, digit => String.fromCharCode(0xff10 + Number(digit))),
      ]),
    /(?:^|[:,[])\s*-?(?:0[xbo]|\d+_\d|\d+n|\d+ 0|[\uff10-\uff19])/,
  ),
  text(
    'control-character',
    'raw control character',
    (valid, pick) =>
      inValue(valid, pick, 'string', () =>
        ['\n', '\t', '\u0000', '\u001f', '\r', '\b'].map(char => `"a${char}b"`),
      ),
    text => /"a[\x00-\x1f]b"/.test(text),
  ),
  text(
    'bad-escape',
    'invalid escape',
    (valid, pick) =>
      inValue(valid, pick, 'string', () =>
        ['x41', 'u12', 'a', "'", '0', 'u{41}', '\n', 'N', 'U00000041'].map(letter => `"\\${letter}"`),
      ),
    text => /"\\(?:x41|u12|a|'|0|u\{41\}|\n|N|U00000041)"/.test(text),
  ),
  text(
    'word',
    'unknown literal',
    (valid, pick) =>
      inValue(valid, pick, 'number', () => ['undefined', 'True', 'nil', 'None', 'TRUE', 'NULL', 'yes']),
    /(?:^|[:,[])\s*(?:undefined|True|nil|None|TRUE|NULL|yes)\b/,
  ),
  text(
    'trailing-garbage',
    'text after the value',
    (valid, pick) =>
      valid +
      choose(
        [
          'x',
          '}',
          ']',
          ',',
          ' null',
          '"',
          valid.length > 1 ? '\0' : ' \0',
          '\nmore',
          ';',
          '\n\0\0\0',
          '\u001a',
        ],
        pick,
      ),
    text =>
      !isDoubled(text) &&
      !otherNumeral.test(text) &&
      !hasOtherSpace(text) &&
      syntaxError(text).includes('after JSON'),
  ),
  text(
    'second-value',
    'two values',
    valid => (isInBrackets(valid) ? `${valid}${valid}` : `${valid} ${valid}`),
    isDoubled,
  ),
  text(
    'deep-nesting',
    '10,000 unclosed brackets',
    (_valid, pick) => choose(['[', '{"a":'], pick).repeat(10_000),
    text => isNested(text) && !isClosedNesting(text),
  ),
  {
    // Well-formed, but no server has to read it (RFC 8259 9), and it is of a wrong type.
    ...text(
      'closed-nesting',
      '5,000 nested arrays instead of a string',
      (valid, pick) => nested(valid, pick, 5000),
      isClosedNesting,
    ),
    less: (valid, pick) => nested(valid, pick, 3),
    needs: 'no list',
  },
  text(
    'not-json',
    'not JSON at all',
    (valid, pick) =>
      choose(['plain words', '<a>1</a>', 'a=1&b=2', '---\na: 1\n', ...otherFormats(valid)], pick),
    text =>
      /^\s*[^\s"'`“«&\\{[\d\uff10-\uff19/-]|^---|^--x/.test(text) &&
      !literal.test(text) &&
      !hasOtherSpace(text.slice(0, 1)),
  ),
  {
    name: 'invalid-utf8',
    fault: 'invalid UTF-8',
    make: (valid, pick) => {
      const bytes = choose(notUtf8, pick)
      const marked = replaceText(valid, () => '"a\uffff"')
      const [head = '', tail = ''] = marked.split('\uffff')
      return Uint8Array.from([...utf8(head), ...bytes, ...utf8(tail)])
    },
    is: bytes => !isUtf16(bytes) && !isUtf8(bytes),
  },
  {
    name: 'utf16',
    // RFC 8259 8.1: UTF-8 is the only encoding.
    fault: 'UTF-16',
    make: (valid, pick) => {
      const little = Buffer.from(`${pick % 2 === 0 ? '\ufeff' : ''}${valid}`, 'utf16le')
      return pick % 4 < 2 ? little : little.swap16()
    },
    is: isUtf16,
  },
  ...lenientKinds,
]
