/** A way in which a text is not JSON: made from a valid one, and recognised again in bytes. */
export type Malformed = {
  readonly name: string
  readonly about: string
  /** `pick` is any whole number; it chooses among the variants. */
  readonly make: (valid: string, pick: number) => Uint8Array
  /** Whether bytes that are not JSON are so in this way. */
  readonly is: (bytes: Uint8Array) => boolean
}

const utf8 = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const text = (
  name: string,
  about: string,
  make: (valid: string, pick: number) => string,
  is: RegExp | ((text: string) => boolean),
): Malformed => ({
  name,
  about,
  make: (valid, pick) => utf8.encode(make(valid, pick)),
  is: bytes => {
    if (isUtf16(bytes) || !isUtf8(bytes)) return false
    const received = decoder.decode(bytes)
    return is instanceof RegExp ? is.test(withoutStrings(received)) : is(received)
  },
})

// What a pattern looks for, it looks for outside of strings: of these it sees only the marks.
const withoutStrings = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/gs, '""')

/** What the parser has to say of a text; empty where it is JSON. */
const problemOf = (text: string): string => {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const endsEarly = (text: string): boolean => {
  const problem = problemOf(text)
  return /end of JSON|Unterminated string/.test(problem) || problem.includes(`position ${text.length} `)
}

const isDoubled = (text: string): boolean => {
  const half = text.slice(0, text.length / 2)
  return half === text.slice(text.length / 2) && problemOf(half) === ''
}
const isNested = (text: string): boolean => /^(?:\[{500}|(?:\{"a":){500})/.test(text)
const isUtf16 = (bytes: Uint8Array): boolean => bytes.subarray(0, 4).includes(0)
const isUtf8 = (bytes: Uint8Array): boolean => Buffer.from(decoder.decode(bytes)).equals(bytes)

const choose = <T>(options: readonly [T, ...T[]], pick: number): T =>
  options[pick % options.length] ?? options[0]

// The last bracket of the valid text, before which members can be put.
const before = (valid: string, insert: string): string => valid.replace(/\s*([}\]])\s*$/, `${insert}$1`)
const member = (valid: string, value: string): string =>
  before(valid, `${/^\s*[[{]\s*[}\]]\s*$/.test(valid) ? '' : ','}"note":${value}`)

export const malformedKinds: readonly Malformed[] = [
  text(
    'truncated',
    'it ends too early',
    (valid, pick) => {
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
    text => !isNested(text) && endsEarly(text),
  ),
  text('trailing-comma', 'a comma before the closing bracket', valid => before(valid, ','), /,\s*[}\]]\s*$/),
  text(
    'missing-comma',
    'no comma between two members',
    (valid, pick) =>
      valid.includes(',"') ? valid.replace(',"', choose([' "', '"'], pick)) : before(valid, ' "a":1'),
    /(?:\d|"|[}\]]|true|false|null)\s*""\s*:/,
  ),
  text('missing-colon', 'no colon after a name', valid => valid.replace(/":/, '" '), /^\s*\{\s*""\s+[^\s:}]/),
  text('single-quotes', 'apostrophes for quotation marks', valid => valid.replaceAll('"', "'"), /^[\s[{]*'/),
  text(
    'bare-name',
    'a name without quotation marks',
    valid => valid.replace(/"(\w+)":/, '$1:'),
    /[{,]\s*\w+\s*:/,
  ),
  text(
    'comment',
    'comments',
    (valid, pick) =>
      choose(
        [
          `/* a */${valid}`,
          `${valid.slice(0, 1)}/* a */${valid.slice(1)}`,
          `${valid.slice(0, 1)}// a\n${valid.slice(1)}`,
        ],
        pick,
      ),
    /\/[*/] a/,
  ),
  text(
    'nan',
    'NaN and Infinity for numbers',
    (valid, pick) => member(valid, choose(['NaN', 'Infinity', '-Infinity'], pick)),
    /[:,[]\s*-?(?:NaN|Infinity)\b/,
  ),
  text(
    'leading-zero',
    'numbers with leading zeros',
    (valid, pick) => member(valid, choose(['01', '-01', '00'], pick)),
    /[:,[]\s*-?0\d/,
  ),
  text(
    'plus-sign',
    'numbers with a plus sign',
    (valid, pick) => member(valid, choose(['+1', '+0.5'], pick)),
    /[:,[]\s*\+/,
  ),
  text(
    'bare-point',
    'numbers with nothing on one side of the point',
    (valid, pick) => member(valid, choose(['.5', '1.', '-.5', '1.e3'], pick)),
    /[:,[]\s*-?(?:\.\d|\d+\.(?!\d))(?!$)/,
  ),
  text(
    'other-base',
    'numbers as programming languages write them',
    (valid, pick) => member(valid, choose(['0x1', '0b1', '0o7', '1_000', '1n'], pick)),
    /[:,[]\s*(?:0[xbo]|\d+_\d|\d+n)/,
  ),
  text(
    'control-character',
    'a raw control character in a string',
    (valid, pick) => member(valid, `"a${choose(['\n', '\t', '\u0000', '\u001f'], pick)}b"`),
    text => /"a[\x00-\x1f]b"/.test(text),
  ),
  text(
    'bad-escape',
    'an escape that JSON has not',
    (valid, pick) => member(valid, choose(['"\\x41"', '"\\u12"', '"\\a"'], pick)),
    text => /"\\(?:x41|u12|a)"/.test(text),
  ),
  text(
    'word',
    'a word that is no JSON literal',
    (valid, pick) => member(valid, choose(['undefined', 'True', 'nil', 'None'], pick)),
    /[:,[]\s*(?:undefined|True|nil|None)\b/,
  ),
  text(
    'trailing-garbage',
    'something after the value',
    (valid, pick) => valid + choose(['x', '}', ']', ',', ' null', '"'], pick),
    text => !isDoubled(text) && problemOf(text).includes('after JSON'),
  ),
  text('second-value', 'two values', valid => `${valid}${valid}`, isDoubled),
  text(
    'deep-nesting',
    'ten thousand brackets that are never closed',
    (_valid, pick) => choose(['[', '{"a":'], pick).repeat(10_000),
    isNested,
  ),
  text(
    'not-json',
    'no JSON at all',
    (_valid, pick) => choose(['plain words', '<a>1</a>', 'a=1&b=2', '---\na: 1\n'], pick),
    /^\s*[^\s"'{[\d/-]|^---/,
  ),
  {
    name: 'invalid-utf8',
    about: 'bytes that are not UTF-8',
    make: (valid, pick) => {
      const bytes = choose(
        [[0xff], [0xc3, 0x28], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe9]],
        pick,
      )
      const [head = '', tail = ''] = member(valid, '"\uffff"').split('\uffff')
      return Uint8Array.from([...utf8.encode(head), ...bytes, ...utf8.encode(tail)])
    },
    is: bytes => !isUtf16(bytes) && !isUtf8(bytes),
  },
  {
    name: 'utf16',
    about: 'UTF-16 text (RFC 8259 8.1: UTF-8 is the only encoding)',
    make: (valid, pick) => {
      const little = Buffer.from(`${pick % 2 === 0 ? '\ufeff' : ''}${valid}`, 'utf16le')
      return pick % 4 < 2 ? little : little.swap16()
    },
    is: isUtf16,
  },
]
