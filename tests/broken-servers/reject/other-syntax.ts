import { decodeUtf8, isObject, parseJson } from '../store/json.ts'
import type { BrokenServer, Exchange, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, raw } from '../store/sent.ts'

const row = rowsOf('reject')

const isJson = (text: string): boolean => {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

/** Takes a body that is not JSON if this makes JSON of it. `shown`: such a body. */
const taking = (
  name: string,
  about: string,
  mend: (text: string) => string,
  shown: string | Buffer,
  breaks = /^createPlant\/request\/body\//,
): BrokenServer =>
  row(
    name,
    about,
    breaks,
    { parse: text => parseJson(isJson(text) ? text : mend(text)) },
    {
      witness: inTurn(raw(shown)),
    },
  )

/** Takes JSON of another shape than that of the contract. */
const reshaping = (
  name: string,
  about: string,
  reshape: (value: unknown) => unknown,
  shown: string,
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/request\/body\//,
    { parse: text => reshape(parseJson(text)) } satisfies Partial<Parts>,
    { witness: inTurn(raw(shown)) },
  )

/** An object of values that are numbers or texts, in JSON. */
const jsonOf = (entries: Iterable<readonly [string, string]>): string => {
  const fields = [...entries].map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${/^-?\d+$/.test(value) ? value : JSON.stringify(value.replace(/^"(.*)"$/, '$1'))}`,
  )
  return `{${fields.join()}}`
}

const lines = (text: string, separator: RegExp): string =>
  jsonOf(
    text
      .split('\n')
      .filter(line => line.trim() !== '' && line !== '---')
      .map(line => {
        const at = line.search(separator)
        if (at < 1) throw new Error('no value')
        return [
          line
            .slice(0, at)
            .trim()
            .replace(/^"(.*)"$/, '$1'),
          line.slice(at + 1).trim(),
        ] as const
      }),
  )

const inner = (value: unknown): unknown => {
  if (!isObject(value)) return value
  const values = Object.values(value)
  return values.length === 1 && isObject(values[0]) ? values[0] : value
}

/** The text up to where its braces are balanced, counted also in strings. */
const counted = (text: string): string => {
  let open = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') open += 1
    if (text[at] === '}') open -= 1
    if (open === 0) return text.slice(0, at + 1)
  }
  return text
}

const cesu8 = (bytes: Buffer): string => {
  const units = bytes
    .toString('latin1')
    .replace(/\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g, (_, ...parts: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(part => part.charCodeAt(0))
      const high = 0xd000 | ((a & 0x3f) << 6) | (b & 0x3f)
      const low = 0xd000 | ((c & 0x3f) << 6) | (d & 0x3f)
      return Buffer.from(String.fromCharCode(high, low)).toString('latin1')
    })
  return decodeUtf8(Buffer.from(units, 'latin1'))
}

/** Decodes what is not UTF-8 in another way. */
const decoding = (
  name: string,
  about: string,
  decode: (bytes: Buffer) => string,
  shown: Buffer,
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/request\/body\//,
    {
      decode: (bytes: Buffer, _exchange: Exchange) => {
        try {
          return decodeUtf8(bytes)
        } catch {
          return decode(bytes)
        }
      },
    },
    { witness: inTurn(raw(shown)) },
  )

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Stores whose reader takes more than JSON, or JSON of another shape. */
export const otherSyntaxServers: readonly BrokenServer[] = [
  taking('takes-yaml', 'YAML is accepted.', text => lines(text, /:(?= )/), 'id: 31\nname: Monstera\n'),
  taking(
    'takes-properties',
    'Lines of names and values are accepted.',
    text => lines(text, /=/),
    'id = 31\nname = "Monstera"\n',
  ),
  taking(
    'takes-form-as-json',
    'A form is accepted under the type of JSON.',
    text => jsonOf(new URLSearchParams(text)),
    'id=31&name=Monstera',
  ),
  taking(
    'takes-json-in-form',
    'JSON in a field of a form is accepted.',
    text => [...new URLSearchParams(text).values()][0] ?? '',
    'json=%7B%22id%22%3A31%2C%22name%22%3A%22Monstera%22%7D',
  ),
  taking(
    'takes-percent-escapes',
    'JSON in percent escapes is accepted.',
    text => decodeURIComponent(text),
    '%7B%22id%22%3A31%2C%22name%22%3A%22Monstera%22%7D',
  ),
  taking(
    'takes-base64',
    'JSON in base64 is accepted.',
    text => (/^[\w+/=]+$/.test(text) ? Buffer.from(text, 'base64').toString() : text),
    Buffer.from('{"id":31,"name":"Monstera"}').toString('base64'),
  ),
  taking(
    'takes-callbacks',
    'A call in JavaScript is accepted.',
    text => text.replace(/^\w+\((.*)\);?$/s, '$1'),
    'f({"id":31,"name":"a"})',
  ),
  taking(
    'takes-parentheses',
    'Parentheses around JSON are accepted.',
    text => text.replace(/^\((.*)\)$/s, '$1'),
    '({"id":31,"name":"a"})',
  ),
  taking(
    'skips-guards',
    'A guard against scripts before JSON is skipped.',
    text => text.replace(/^\)\]\}',?\n/, ''),
    ')]}\',\n{"id":31,"name":"a"}',
  ),
  taking(
    'takes-nul-at-the-end',
    'NUL at the end is ignored.',
    text => text.replace(/\0+$/, ''),
    '{"id":31,"name":"a"}\0',
  ),
  taking(
    'takes-lines-at-the-end',
    'Further lines after the value are ignored.',
    text => text.split('\n')[0] ?? '',
    '{"id":31,"name":"a"}\nmore',
  ),
  taking(
    'takes-semicolon-at-the-end',
    'A semicolon after the value is ignored.',
    text => text.replace(/;\s*$/, ''),
    '{"id":31,"name":"a"};',
  ),
  taking(
    'takes-no-break-spaces',
    'No-break spaces are taken for white space.',
    text => text.replace(/\u00a0/g, ' '),
    '{"id":31,\u00a0"name":"a"}',
  ),
  taking(
    'takes-form-feeds',
    'Form feeds are taken for white space.',
    text => text.replace(/[\f\v]/g, ' '),
    '{"id":31,\f"name":"a"}',
  ),
  taking(
    'trims-any-white-space',
    'Any white space around the value is taken off.',
    text => text.trim(),
    '\u2003{"id":31,"name":"a"}\u2003',
  ),
  taking(
    'takes-leading-comma',
    'A comma after an opening brace is accepted.',
    text => text.replace(/\{\s*,/g, '{'),
    '{,"id":31,"name":"a"}',
  ),
  taking(
    'takes-double-commas',
    'Two commas in a row are accepted.',
    text => text.replace(/,\s*,/g, ','),
    '{"id":31,,"name":"a"}',
  ),
  taking(
    'takes-semicolons',
    'Semicolons are accepted between properties.',
    text => text.replace(/;/g, ','),
    '{"id":31;"name":"a"}',
  ),
  taking(
    'takes-equals-signs',
    'Equals signs are accepted for colons.',
    text => text.replace(/"\s*=>?/g, '":'),
    '{"id"=31,"name"="a"}',
  ),
  taking(
    'counts-braces',
    'What follows the last counted brace is ignored.',
    counted,
    '{"id":31,"name":"a"} and more',
  ),
  taking(
    'takes-double-braces',
    'Doubled braces are accepted.',
    text => text.replace(/^\{\{(.*)\}\}$/s, '{$1}'),
    '{{"id":31,"name":"a"}}',
  ),
  taking(
    'takes-any-bracket',
    'An object may end with another bracket.',
    text => text.replace(/\]\s*$/, '}'),
    '{"id":31,"name":"a"]',
  ),
  taking(
    'strips-slashes',
    'Quotes with a backslash are taken for quotes.',
    text => text.replace(/\\"/g, '"'),
    '{\\"id\\":31,\\"name\\":\\"a\\"}',
  ),
  taking(
    'takes-curly-quotes',
    'Typographic quotes are accepted.',
    text => text.replace(/[“”]/g, '"'),
    '{“id”:31,“name”:“a”}',
  ),
  taking(
    'takes-escaped-apostrophes',
    'A backslash before an apostrophe is accepted.',
    text => text.replace(/\\'/g, "'"),
    '{"id":31,"name":"it\\\'s"}',
  ),
  taking(
    'takes-bare-texts',
    'Texts without quotation marks are accepted.',
    text => text.replace(/:\s*([A-Za-z][\w -]*)(?=[,}])/g, ':"$1"'),
    '{"id":31,"name":Monstera}',
  ),
  taking(
    'takes-empty-values',
    'A property without a value is taken for none.',
    text => text.replace(/,?"\w+":\s*(?=[,}])/g, ''),
    '{"id":31,"name":"a","tag":}',
  ),
  taking(
    'takes-upper-case-words',
    'Literals in capitals are accepted.',
    text => text.replace(/\b(TRUE|FALSE|NULL)\b/g, word => word.toLowerCase()),
    '{"id":31,"name":"a","x":TRUE}',
  ),
  taking(
    'takes-separated-digits',
    'An underscore or a space in a number is accepted.',
    text => text.replace(/(?<=\d)[_ ](?=\d)/g, ''),
    '{"id":3 1,"name":"a"}',
  ),
  taking(
    'takes-hash-comments',
    'Comments after # are ignored.',
    text => text.replace(/#.*$/gm, ''),
    '{"id":31,"name":"a"} # a',
  ),
  taking(
    'takes-upper-case-escapes',
    'Escapes such as \\N and \\0 are accepted.',
    text => text.replace(/\\[N0vu{}]/g, ' '),
    '{"id":31,"name":"a\\0b"}',
  ),
  decoding(
    'takes-cesu-8',
    'Surrogates that are encoded one by one are accepted.',
    cesu8,
    bytes('{"id":31,"name":"\xed\xa0\xbc\xed\xbc\xb1"}'),
  ),
  decoding(
    'takes-overlong-nul',
    'NUL in two bytes is accepted.',
    bytes => decodeUtf8(Buffer.from(bytes.toString('latin1').replace(/\xc0\x80/g, '\\u0000'), 'latin1')),
    bytes('{"id":31,"name":"\xc0\x80"}'),
  ),
  decoding(
    'takes-windows-1252',
    'Quotation marks of another encoding are accepted.',
    bytes => decodeUtf8(Buffer.from(bytes.toString('latin1').replace(/[\x91-\x94]/g, ' '), 'latin1')),
    bytes('{"id":31,"name":"\x93a\x94"}'),
  ),
  reshaping(
    'takes-wrappers',
    'A plant in an object of one property is accepted.',
    inner,
    '{"plant":{"id":31,"name":"a"}}',
  ),
  reshaping(
    'takes-data',
    'A plant below data is accepted.',
    value => (isObject(value) && isObject(value.data) ? value.data : value),
    '{"data":{"id":31,"name":"a"}}',
  ),
  reshaping(
    'takes-json-in-a-string',
    'A string of JSON is accepted.',
    value => (typeof value === 'string' ? parseJson(value) : value),
    '"{\\"id\\":31,\\"name\\":\\"a\\"}"',
  ),
  reshaping(
    'takes-the-only-item',
    'A list of one plant is accepted.',
    value => (Array.isArray(value) && value.length === 1 ? value[0] : value),
    '[{"id":31,"name":"a"}]',
  ),
  reshaping(
    'takes-pairs',
    'A list of names and values is accepted.',
    value =>
      Array.isArray(value) && value.every(each => Array.isArray(each) && each.length === 2)
        ? Object.fromEntries(value)
        : value,
    '[["id",31],["name","a"]]',
  ),
  reshaping(
    'trims-names',
    'Names with spaces around them are accepted.',
    value =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.trim(), each]))
        : value,
    '{" id ":31," name ":"a"}',
  ),
  reshaping(
    'takes-other-spellings',
    'Names with underscores or hyphens are accepted.',
    value =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replace(/[_-]/g, ''), each]))
        : value,
    '{"_id":31,"name":"a"}',
  ),
]
