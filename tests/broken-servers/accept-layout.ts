import {
  bodyText,
  crash,
  type Failing,
  hang,
  hangUp,
  onPlant,
  refuse,
  reset,
  when,
  withText,
} from './faults.ts'
import { isObject, parseJson } from './json.ts'
import type { Asked, Broken } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('accept')

const presence = /^createPlant\/(request\/body\/(presence|tag)|response\/)/
const layout = (classes: string) =>
  new RegExp(`^createPlant/(request/layout/.*(${classes})|response/declared)`)
const framing = /^createPlant\/(request\/framing\/|response\/declared)/
const size = /^createPlant\/(request\/(size\/|body\/(name|tag)\/.*long)|response\/declared)/
const undeclared = /^createPlant\/(request\/body\/.*undeclared|response\/declared|open\/undeclared)/

const valid = (looks: (asked: Asked) => boolean, failing: Failing) =>
  when((asked, { cause }) => cause === 'none' && looks(asked), failing)

const names = (asked: Asked): readonly string[] => {
  const value = parseJson(bodyText(asked))
  return isObject(value) ? Object.keys(value) : []
}

const isChunked = ({ request }: Asked) => request.headers['transfer-encoding'] !== undefined
const isSpaced = (asked: Asked) =>
  /^\s|\s$|[{,:]\s+["\d]|"\s+:/.test(bodyText(asked).replace(/"(?:[^"\\]|\\.)*"/g, '"'))
const hasEscapedName = (asked: Asked) => /\\u[0-9a-f]{4}[a-z]*"\s*:/i.test(bodyText(asked))
const hasEscape = (asked: Asked) => /\\u[0-9a-f]{4}/i.test(bodyText(asked))
const heavier =
  (bytes: number) =>
  (asked: Asked): boolean =>
    asked.bytes.length > bytes

const tooLarge: Failing = answer => withText(answer, 413, 'Payload Too Large', 'text/html')

export const layoutServers: readonly Broken[] = [
  row('requires-tag', 'A plant without a tag is refused.', presence, {
    tag: value => typeof value === 'string',
  }),
  row(
    'crashes-without-tag',
    'A plant without a tag gets a 500.',
    presence,
    onPlant(({ tag }) => tag === undefined, crash),
  ),
  row(
    'hangs-without-tag',
    'A plant without a tag gets no answer.',
    presence,
    onPlant(({ tag }) => tag === undefined, hang),
  ),
  row(
    'refuses-tags',
    'A plant with a tag is refused.',
    /^createPlant\/request\//,
    onPlant(({ tag }) => tag !== undefined, refuse),
  ),
  row(
    'wants-id-first',
    'The id has to be the first property.',
    layout('order'),
    valid(asked => names(asked)[0] !== 'id', refuse),
  ),
  row(
    'wants-tag-last',
    'The tag may not stand before the name.',
    layout('order'),
    valid(asked => {
      const given = names(asked)
      return given.includes('tag') && given.indexOf('tag') < given.indexOf('name')
    }, refuse),
  ),
  row(
    'crashes-on-other-order',
    'Properties in another order get a 500.',
    layout('order'),
    valid(asked => names(asked)[0] !== 'id', crash),
  ),
  row(
    'refuses-white-space',
    'White space between the signs is refused.',
    layout('white|space|pretty'),
    valid(isSpaced, refuse),
  ),
  row(
    'crashes-on-white-space',
    'White space between the signs gets a 500.',
    layout('white|space|pretty'),
    valid(isSpaced, crash),
  ),
  row(
    'refuses-white-space-around',
    'White space before and after the body is refused.',
    layout('white|space|pretty'),
    valid(asked => /^\s|\s$/.test(bodyText(asked)), refuse),
  ),
  row(
    'misses-escaped-names',
    'Property names are not unescaped, so the property is missing.',
    layout('escape'),
    valid(hasEscapedName, refuse),
  ),
  row(
    'crashes-on-escaped-names',
    'Escapes in property names get a 500.',
    layout('escape'),
    valid(hasEscapedName, crash),
  ),
  row(
    'refuses-escapes',
    'Escapes by number are refused.',
    /^createPlant\/(request\/(layout\/.*escape|body\/)|response\/declared)/,
    valid(hasEscape, refuse),
  ),
  row(
    'crashes-on-undeclared-properties',
    'Undeclared properties get a 500.',
    undeclared,
    valid(asked => names(asked).some(name => !['id', 'name', 'tag'].includes(name)), crash),
  ),
  row(
    'answers-undeclared-properties-with-422',
    'Undeclared properties get an undeclared 422.',
    undeclared,
    valid(
      asked => names(asked).some(name => !['id', 'name', 'tag'].includes(name)),
      answer => ({ ...answer, status: 422 }),
    ),
  ),
  row('refuses-chunks', 'A body in chunks is refused.', framing, valid(isChunked, refuse)),
  row('crashes-on-chunks', 'A body in chunks gets a 500.', framing, valid(isChunked, crash)),
  row(
    'answers-chunks-with-411',
    'A body in chunks gets an undeclared 411.',
    framing,
    valid(isChunked, answer => withText(answer, 411, 'Length Required')),
  ),
  row('hangs-on-chunks', 'A body in chunks gets no answer.', framing, valid(isChunked, hang)),
  row('hangs-up-on-chunks', 'A body in chunks ends the connection.', framing, valid(isChunked, hangUp)),
  row(
    'answers-64-kib-with-413',
    'Bodies of more than 64 KiB get an undeclared 413.',
    size,
    valid(heavier(65_536), tooLarge),
  ),
  row(
    'answers-100-kib-with-413',
    'Bodies of more than 100 KiB get an undeclared 413.',
    size,
    valid(heavier(102_400), tooLarge),
  ),
  row('crashes-on-100-kib', 'Bodies of more than 100 KiB get a 500.', size, valid(heavier(102_400), crash)),
  row(
    'resets-on-100-kib',
    'Bodies of more than 100 KiB reset the connection.',
    size,
    valid(heavier(102_400), reset),
  ),
  row('hangs-on-64-kib', 'Bodies of more than 64 KiB get no answer.', size, valid(heavier(65_536), hang)),
]
