import {
  bodyText,
  crash,
  type Fault,
  hang,
  hangUp,
  onPlant,
  reject,
  reset,
  when,
  withText,
} from '../store/faults.ts'
import { isObject, parseJson } from '../store/json.ts'
import type { BrokenServer, Exchange } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'

const row = rowsOf('accept')

const presence = /^createPlant\/(request\/body\/(presence|tag)|response\/)/
const layout = (classes: string) =>
  new RegExp(`^createPlant/(request/layout/.*(${classes})|response/declared)`)
const framing = /^createPlant\/(request\/framing\/|response\/declared)/
const size = /^createPlant\/(request\/(size\/|body\/(name|tag)\/.*long)|response\/declared)/
const undeclared = /^createPlant\/(request\/body\/.*undeclared|response\/declared|unspecified\/undeclared)/

const valid = (matches: (exchange: Exchange) => boolean, fault: Fault) =>
  when((exchange, { cause }) => cause === 'none' && matches(exchange), fault)

const names = (exchange: Exchange): readonly string[] => {
  const value = parseJson(bodyText(exchange))
  return isObject(value) ? Object.keys(value) : []
}

const isChunked = ({ request }: Exchange) => request.headers['transfer-encoding'] !== undefined
const isSpaced = (exchange: Exchange) =>
  /^\s|\s$|[{,:]\s+["\d]|"\s+:/.test(bodyText(exchange).replace(/"(?:[^"\\]|\\.)*"/g, '"'))
const hasEscapedName = (exchange: Exchange) => /\\u[0-9a-f]{4}[a-z]*"\s*:/i.test(bodyText(exchange))
const hasEscape = (exchange: Exchange) => /\\u[0-9a-f]{4}/i.test(bodyText(exchange))
const heavier =
  (bytes: number) =>
  (exchange: Exchange): boolean =>
    exchange.bytes.length > bytes

const tooLarge: Fault = response => withText(response, 413, 'Payload Too Large', 'text/html')

export const layoutServers: readonly BrokenServer[] = [
  row('requires-tag', 'A plant without a tag is rejected.', presence, {
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
    'A plant without a tag gets no response.',
    presence,
    onPlant(({ tag }) => tag === undefined, hang),
    hangs,
  ),
  row(
    'rejects-tags',
    'A plant with a tag is rejected.',
    /^createPlant\/request\//,
    onPlant(({ tag }) => tag !== undefined, reject),
  ),
  row(
    'wants-id-first',
    'The id must be the first property.',
    layout('order'),
    valid(exchange => names(exchange)[0] !== 'id', reject),
  ),
  row(
    'wants-tag-last',
    'The tag must not come before the name.',
    layout('order'),
    valid(exchange => {
      const order = names(exchange)
      return order.includes('tag') && order.indexOf('tag') < order.indexOf('name')
    }, reject),
  ),
  row(
    'crashes-on-other-order',
    'Properties in another order get a 500.',
    layout('order'),
    valid(exchange => names(exchange)[0] !== 'id', crash),
  ),
  row(
    'rejects-white-space',
    'White space between the tokens is rejected.',
    layout('white|space|pretty'),
    valid(isSpaced, reject),
  ),
  row(
    'crashes-on-white-space',
    'White space between the tokens gets a 500.',
    layout('white|space|pretty'),
    valid(isSpaced, crash),
  ),
  row(
    'rejects-white-space-around',
    'White space before and after the body is rejected.',
    layout('white|space|pretty'),
    valid(exchange => /^\s|\s$/.test(bodyText(exchange)), reject),
  ),
  row(
    'misses-escaped-names',
    'Escapes in property names are not decoded, so the property is missing.',
    layout('escape'),
    valid(hasEscapedName, reject),
  ),
  row(
    'crashes-on-escaped-names',
    'Escapes in property names get a 500.',
    layout('escape'),
    valid(hasEscapedName, crash),
  ),
  row(
    'rejects-escapes',
    'Unicode escapes are rejected.',
    /^createPlant\/(request\/(layout\/.*escape|body\/)|response\/declared)/,
    valid(hasEscape, reject),
  ),
  row(
    'crashes-on-undeclared-properties',
    'Undeclared properties get a 500.',
    undeclared,
    valid(exchange => names(exchange).some(name => !['id', 'name', 'tag'].includes(name)), crash),
  ),
  row(
    'answers-undeclared-properties-with-422',
    'Undeclared properties get an undeclared 422.',
    undeclared,
    valid(
      exchange => names(exchange).some(name => !['id', 'name', 'tag'].includes(name)),
      response => ({ ...response, status: 422 }),
    ),
  ),
  row('rejects-chunks', 'A chunked body is rejected.', framing, valid(isChunked, reject)),
  row('crashes-on-chunks', 'A chunked body gets a 500.', framing, valid(isChunked, crash)),
  row(
    'answers-chunks-with-411',
    'A chunked body gets an undeclared 411.',
    framing,
    valid(isChunked, response => withText(response, 411, 'Length Required')),
  ),
  row('hangs-on-chunks', 'A chunked body gets no response.', framing, valid(isChunked, hang), hangs),
  row('hangs-up-on-chunks', 'A chunked body ends the connection.', framing, valid(isChunked, hangUp)),
  row(
    'answers-64-kib-with-413',
    'Bodies of more than 64 KiB get an undeclared 413.',
    size,
    valid(heavier(65_536), tooLarge),
  ),
  row('crashes-on-100-kib', 'Bodies of more than 100 KiB get a 500.', size, valid(heavier(102_400), crash)),
  row(
    'resets-on-100-kib',
    'Bodies of more than 100 KiB reset the connection.',
    size,
    valid(heavier(102_400), reset),
  ),
  row(
    'hangs-on-64-kib',
    'Bodies of more than 64 KiB get no response.',
    size,
    valid(heavier(65_536), hang),
    hangs,
  ),
]
