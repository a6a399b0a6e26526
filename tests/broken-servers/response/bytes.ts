import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { typed } from './content-type.ts'

const row = rowsOf('response')

const bytes = /^createPlant\/response\//

const written = (change: (text: string) => string | Buffer): Partial<Parts> => ({
  write: value => change(JSON.stringify(value)),
})

/** Responses whose bytes are not the JSON that they should be. */
export const byteServers: readonly BrokenServer[] = [
  row(
    'writes-byte-order-mark',
    'A byte order mark precedes the JSON.',
    bytes,
    written(text => `\ufeff${text}`),
  ),
  row(
    'writes-trailing-comma',
    'A comma precedes the closing brace.',
    bytes,
    written(text => text.replace(/\}$/, ',}')),
  ),
  row(
    'writes-single-quotes',
    'Strings are in single quotes.',
    bytes,
    written(text => text.replaceAll('"', "'")),
  ),
  row(
    'writes-bare-names',
    'Property names are not quoted.',
    bytes,
    written(text => text.replace(/"(name|tag|error|message)":/g, '$1:')),
  ),
  row(
    'writes-half',
    'Half of the JSON is missing.',
    bytes,
    written(text => text.slice(0, text.length >> 1)),
  ),
  row(
    'writes-no-closing-brace',
    'The closing brace is missing.',
    bytes,
    written(text => text.slice(0, -1)),
  ),
  row(
    'writes-twice',
    'The JSON is written twice.',
    bytes,
    written(text => text + text),
  ),
  row(
    'writes-something-after',
    'Something follows the JSON.',
    bytes,
    written(text => `${text}<!-- 3 ms -->`),
  ),
  row(
    'writes-nul-after',
    'A NUL follows the JSON.',
    bytes,
    written(text => `${text}\0`),
  ),
  row(
    'writes-warning-before',
    'A warning precedes the JSON.',
    bytes,
    written(text => `Warning: undefined index\n${text}`),
  ),
  row(
    'writes-guard-before',
    'A guard against script inclusion precedes the JSON.',
    bytes,
    written(text => `)]}',\n${text}`),
  ),
  row(
    'writes-a-call',
    'The JSON is wrapped in a function call.',
    bytes,
    written(text => `callback(${text})`),
  ),
  row(
    'writes-nan',
    'The JSON contains NaN.',
    bytes,
    written(text => text.replace(/\}$/, ',"weight":NaN}')),
  ),
  row(
    'writes-leading-zero',
    'The error begins with a zero.',
    bytes,
    written(text => text.replace('"error":1', '"error":01')),
  ),
  row(
    'writes-comment',
    'The JSON contains a comment.',
    bytes,
    written(text => text.replace('{', '{/* plant */')),
  ),
  row(
    'writes-name-twice',
    'The Plant contains its name twice.',
    bytes,
    written(text => text.replace(/^\{("name":"(?:[^"\\]|\\.)*")/, '{$1,$1')),
  ),
  row(
    'writes-other-name-first',
    'The Plant contains another name before its own.',
    bytes,
    written(text => text.replace('{"name":', '{"name":"other","name":')),
  ),
  row(
    'writes-message-twice',
    'The Error contains its message twice.',
    bytes,
    written(text => text.replace('"message":', '"message":"","message":')),
  ),
  row(
    'writes-raw-control-characters',
    'Control characters are not escaped.',
    bytes,
    written(text =>
      text.replace(/\\u00([01][0-9a-f])|\\([nrt])/g, (_, hex, letter) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : { n: '\n', r: '\r', t: '\t' }[letter as 'n'],
      ),
    ),
  ),
  row(
    'writes-raw-quotes',
    'Quotes in strings are not escaped.',
    bytes,
    written(text => text.replaceAll('\\"', '"')),
  ),
  row(
    'writes-raw-backslashes',
    'Backslashes in strings are not escaped.',
    bytes,
    written(text => text.replaceAll('\\\\', '\\')),
  ),
  row(
    'writes-latin1',
    'Responses are in Latin-1 if possible.',
    bytes,
    written(text => (/^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : text)),
  ),
  row('writes-latin1-and-says-so', 'Responses are in Latin-1 if possible, and declare it.', bytes, {
    ...written(text => (/^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : text)),
    ...typed('application/json; charset=iso-8859-1'),
  }),
  row(
    'writes-utf16',
    'Responses are in UTF-16.',
    bytes,
    written(text => Buffer.from(`\ufeff${text}`, 'utf16le')),
  ),
  row(
    'writes-cesu-8',
    'Characters beyond the first plane are encoded as two surrogates (CESU-8).',
    bytes,
    written(text =>
      Buffer.concat(
        [...text].map(sign =>
          sign.length === 1
            ? Buffer.from(sign)
            : Buffer.concat(
                [0, 1].map(half => {
                  const unit = sign.charCodeAt(half)
                  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
                }),
              ),
        ),
      ),
    ),
  ),
  row('writes-invalid-utf8', 'The message contains an invalid UTF-8 byte.', bytes, {
    write: value => {
      const text = Buffer.from(JSON.stringify(value))
      const at = text.indexOf('"message":"')
      return at < 0
        ? text
        : Buffer.concat([text.subarray(0, at + 11), Buffer.from([0xff]), text.subarray(at + 11)])
    },
  }),
  row('writes-xml', 'Responses are XML.', bytes, {
    ...written(() => '<?xml version="1.0"?><plant/>'),
    ...typed('application/xml'),
  }),
  row(
    'writes-xml-as-json',
    'Responses are XML that is declared as JSON.',
    bytes,
    written(() => '<plant/>'),
  ),
]
