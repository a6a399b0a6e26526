import { on } from './faults.ts'
import type { Broken, Cause, Parts } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('answer')

const bytes = /^createPlant\/response\//
const type = /^createPlant\/response\/.*(content-type|media|declared)/

const typed = (value: string | undefined): Partial<Parts> => ({ type: () => value })
const plantTyped = (value: string | undefined): Partial<Parts> => ({
  type: ({ cause }) => (cause === 'none' ? value : 'application/json'),
})
const written = (change: (text: string) => string | Buffer): Partial<Parts> => ({
  write: value => change(JSON.stringify(value)),
})

const refusals: readonly Cause[] = ['credentials', 'media', 'json', 'body', 'id', 'name', 'tag']

const types: readonly Broken[] = [
  row('announces-html', 'Answers are announced as a page.', type, typed('text/html')),
  row('announces-text', 'Answers are announced as plain text.', type, typed('text/plain; charset=utf-8')),
  row('announces-nothing', 'Answers have no content type.', type, typed(undefined)),
  row('announces-empty-type', 'The content type of answers is empty.', type, typed('')),
  row('announces-bytes', 'Answers are announced as bytes.', type, typed('application/octet-stream')),
  row('announces-javascript', 'Answers are announced as a script.', type, typed('application/javascript')),
  row('announces-text-json', 'Answers are announced as text/json.', type, typed('text/json')),
  row(
    'announces-json-suffix',
    'Answers are announced as a media type of their own.',
    type,
    typed('application/vnd.plant+json'),
  ),
  row('announces-jsonl', 'Answers are announced as lines of JSON.', type, typed('application/jsonl')),
  row('announces-json-without-application', 'Answers are announced as json.', type, typed('json')),
  row('announces-plants-as-html', 'Plants are announced as a page.', type, plantTyped('text/html')),
  row('announces-no-type-for-plants', 'Plants have no content type.', type, plantTyped(undefined)),
  row(
    'announces-errors-as-text',
    'Errors are announced as plain text.',
    type,
    on(refusals, answer => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
  ),
  row(
    'announces-no-type-for-errors',
    'Errors have no content type.',
    type,
    on(refusals, answer => ({ ...answer, headers: {} })),
  ),
]

const texts: readonly Broken[] = [
  row(
    'writes-byte-order-mark',
    'A byte order mark stands before the JSON.',
    bytes,
    written(text => `\ufeff${text}`),
  ),
  row(
    'writes-trailing-comma',
    'A comma stands before the closing brace.',
    bytes,
    written(text => text.replace(/\}$/, ',}')),
  ),
  row(
    'writes-single-quotes',
    'Texts stand in single quotes.',
    bytes,
    written(text => text.replaceAll('"', "'")),
  ),
  row(
    'writes-bare-names',
    'Property names stand without quotes.',
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
    'The JSON comes twice.',
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
    'A warning stands before the JSON.',
    bytes,
    written(text => `Warning: undefined index\n${text}`),
  ),
  row(
    'writes-guard-before',
    'A guard against scripts stands before the JSON.',
    bytes,
    written(text => `)]}',\n${text}`),
  ),
  row(
    'writes-a-call',
    'The JSON stands in a call.',
    bytes,
    written(text => `callback(${text})`),
  ),
  row(
    'writes-nan',
    'NaN stands in the JSON.',
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
    'A comment stands in the JSON.',
    bytes,
    written(text => text.replace('{', '{/* plant */')),
  ),
  row(
    'writes-name-twice',
    'The name stands twice in the Plant.',
    bytes,
    written(text => text.replace(/^\{("name":"(?:[^"\\]|\\.)*")/, '{$1,$1')),
  ),
  row(
    'writes-other-name-first',
    'Another name stands before the name of the Plant.',
    bytes,
    written(text => text.replace('{"name":', '{"name":"other","name":')),
  ),
  row(
    'writes-message-twice',
    'The message stands twice in the Error.',
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
    'Quotes in texts are not escaped.',
    bytes,
    written(text => text.replaceAll('\\"', '"')),
  ),
  row(
    'writes-raw-backslashes',
    'Backslashes in texts are not escaped.',
    bytes,
    written(text => text.replaceAll('\\\\', '\\')),
  ),
  row(
    'writes-latin1',
    'Answers are Latin-1 where they can be.',
    bytes,
    written(text => (/^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : text)),
  ),
  row('writes-latin1-and-says-so', 'Answers are Latin-1, and say so.', bytes, {
    ...written(text => (/^[\u0000-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : text)),
    ...typed('application/json; charset=iso-8859-1'),
  }),
  row(
    'writes-utf16',
    'Answers are UTF-16.',
    bytes,
    written(text => Buffer.from(`\ufeff${text}`, 'utf16le')),
  ),
  row(
    'writes-surrogates-apart',
    'Characters beyond the first plane are encoded in two halves.',
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
  row('writes-invalid-utf8', 'A byte that is no UTF-8 stands in the message.', bytes, {
    write: value => {
      const text = Buffer.from(JSON.stringify(value))
      const at = text.indexOf('"message":"')
      return at < 0
        ? text
        : Buffer.concat([text.subarray(0, at + 11), Buffer.from([0xff]), text.subarray(at + 11)])
    },
  }),
  row('writes-xml', 'Answers are XML.', bytes, {
    ...written(() => '<?xml version="1.0"?><plant/>'),
    ...typed('application/xml'),
  }),
  row(
    'writes-xml-as-json',
    'Answers are XML, and announced as JSON.',
    bytes,
    written(() => '<plant/>'),
  ),
]

export const byteServers: readonly Broken[] = [...types, ...texts]
