import type { BrokenServer, Exchange } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant } from '../store/sent.ts'

const row = rowsOf('response')

/** Changes the texts of the Plant. `shown`: a text that it changes. */
const changing = (
  name: string,
  about: string,
  change: (text: string, exchange: Exchange) => string,
  shown: string,
  headers: Readonly<Record<string, string>> = {},
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/(response\/200\/echo|stability\/pairing)/,
    {
      plant: (sent, exchange) => ({
        name: change(sent.name, exchange),
        ...(sent.tag === undefined ? {} : { tag: change(sent.tag, exchange) }),
      }),
    },
    { level: 'SHOULD', witness: inTurn(plant({ name: shown }, { ...jsonHeaders, ...headers })) },
  )

const isoDate = /^\d{4}-\d\d-\d\d$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const cut = (text: string, most: number): string => {
  const bytes = Buffer.from(text)
  return bytes.length <= most
    ? text
    : bytes
        .subarray(0, most)
        .toString()
        .replace(/\ufffd+$/, '')
}

/** Stores that give texts back a little changed. */
export const delicateTextServers: readonly BrokenServer[] = [
  changing(
    'echoes-dates-as-instants',
    'A text that is a date comes back with a time.',
    text => (isoDate.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : text),
    '2024-02-29',
  ),
  changing(
    'echoes-instants-in-utc',
    'A text that is an instant comes back in UTC.',
    text => (instant.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : text),
    '2024-02-29T12:00:00+02:00',
  ),
  changing(
    'echoes-instants-without-fraction',
    'The fraction of a second is lost.',
    text => (instant.test(text) ? text.replace(/\.\d+/, '') : text),
    '2024-02-29T12:00:00.120Z',
  ),
  changing(
    'echoes-dates-in-words',
    'A date with points comes back with hyphens.',
    text => text.replace(/^(\d\d?)[./](\d\d?)[./](\d{4})$/, '$3-$2-$1'),
    '31.12.2024',
  ),
  changing(
    'echoes-inner-spaces-once',
    'Two spaces in a text come back as one.',
    text => text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
    'a  b',
  ),
  changing('echoes-tabs-as-spaces', 'Tabs come back as spaces.', text => text.replace(/\t/g, '    '), 'a\tb'),
  changing(
    'echoes-no-break-spaces-as-spaces',
    'No-break spaces within a text come back as spaces.',
    text => text.replace(/(?<=\S)[\u00a0\u2009\u202f](?=\S)/g, ' '),
    '10\u00a0kg',
  ),
  changing(
    'echoes-without-byte-order-mark',
    'A byte order mark at the beginning is lost.',
    text => text.replace(/^\ufeff/, ''),
    '\ufeffFern',
  ),
  changing(
    'echoes-plus-as-space',
    'Plus signs come back as spaces.',
    text => text.replace(/\+/g, ' '),
    'a+b',
  ),
  changing(
    'echoes-through-a-replacement',
    'Dollar signs are taken for references.',
    text => 'x'.replace('x', text),
    'a $& b $$ c',
  ),
  changing(
    'echoes-doubled-dollars-once',
    'Two dollar signs come back as one.',
    text => text.replaceAll('$$', '$'),
    'a$$b',
  ),
  changing(
    'echoes-without-variables',
    'Names after a dollar sign are lost.',
    text => text.replace(/\$\w+/g, ''),
    'a $HOME b',
  ),
  changing('echoes-cut-at-255-bytes', 'Texts are cut at 255 bytes.', text => cut(text, 255), 'é'.repeat(200)),
  changing(
    'echoes-cut-at-1000-bytes',
    'Texts are cut at 1,000 bytes.',
    text => cut(text, 1000),
    '植'.repeat(400),
  ),
  changing(
    'echoes-cut-at-64-bytes',
    'Texts beyond ASCII are cut at 64 bytes.',
    text => (/^[\0-\x7f]*$/.test(text) ? text : cut(text, 64)),
    'é'.repeat(40),
  ),
  changing(
    'echoes-latin-1-by-charset',
    'A charset in quotation marks is taken for ISO-8859-1.',
    (text, { request }) =>
      /charset="/i.test(String(request.headers['content-type']))
        ? Buffer.from(text).toString('latin1')
        : text,
    'Renée',
    { 'content-type': 'application/json; charset="utf-8"' },
  ),
  changing(
    'echoes-by-charset',
    'A declared charset has texts decoded twice.',
    (text, { request }) =>
      /charset=/i.test(String(request.headers['content-type']))
        ? Buffer.from(text, 'latin1').toString()
        : text,
    'Renée',
    { 'content-type': 'application/json; charset=utf-8' },
  ),
  changing(
    'echoes-entities-decoded',
    'Numeric entities come back decoded.',
    text => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    'it&#39;s',
  ),
  changing(
    'echoes-escapes-decoded',
    'The letters \\u0041 come back as A.',
    text => text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    '\\u0041',
  ),
  changing(
    'echoes-formulas-quoted',
    'A text that begins like a formula gets an apostrophe.',
    text => text.replace(/^[=+@-](?=\D)/, "'$&"),
    '=SUM(A1)',
  ),
  changing(
    'echoes-numbers-shortened',
    'A text that is a number loses its zeros.',
    text => (/^\d+\.\d*0$/.test(text) ? String(Number(text)) : text),
    '1.50',
  ),
  changing(
    'echoes-yes-as-true',
    'The words yes and no come back as true and false.',
    text => (/^yes$/i.test(text) ? 'true' : /^(no|off)$/i.test(text) ? 'false' : text),
    'no',
  ),
  changing(
    'echoes-compatibility-forms',
    'Ligatures and full-width letters come back as plain ones.',
    text =>
      text.normalize('NFKC') === text
        ? text
        : /[\ufb00-\ufb06\uff01-\uff5e²]/.test(text)
          ? text.normalize('NFKC')
          : text,
    'ﬁg²',
  ),
  changing(
    'echoes-dashes',
    'Two hyphens come back as a dash, and three points as one sign.',
    text => text.replace(/(?<=\w)--(?=\w)/g, '–').replace(/\.\.\./g, '…'),
    'a--b...',
  ),
  changing(
    'echoes-urls-normalised',
    'URLs come back in another form.',
    text => (/^https?:\/\//i.test(text) ? new URL(text).href : text),
    'HTTP://Example.com',
  ),
  changing(
    'echoes-mail-in-lower-case',
    'The host of a mail address comes back in lower case.',
    text => (/^\S+@\S+\.\w+$/.test(text) ? text.toLowerCase() : text),
    'Ann@Example.COM',
  ),
  changing(
    'echoes-line-feeds-for-returns',
    'A carriage return alone comes back as a line feed.',
    text => text.replace(/\r(?!\n)/g, '\n'),
    'a\rb',
  ),
  changing(
    'echoes-without-soft-hyphens',
    'Soft hyphens and joiners are lost.',
    text => text.replace(/[\u00ad\u200c\u2060]/g, ''),
    'a\u00adb',
  ),
  changing('echoes-last-line', 'Empty lines are lost.', text => text.replace(/\n{2,}/g, '\n'), 'a\n\nb'),
]
