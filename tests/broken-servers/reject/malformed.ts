import {
  bodyText,
  crash,
  crashPage,
  type Fault,
  hang,
  hangUp,
  on,
  reset,
  unprocessable,
  when,
  withJson,
  withText,
} from '../store/faults.ts'
import type { BrokenServer, Exchange } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { firstValue } from './first-value.ts'

const row = rowsOf('reject')

const anyJson = /^createPlant\/(request\/body\/(json|required)|response\/)/
const ofJson = (classes: string) => new RegExp(`^createPlant/(request/body/json/(${classes})|response/)`)
const ofNothing = /^createPlant\/(request\/body\/(required|json|presence|empty|absent)|response\/)/

const malformed = (matches: (text: string, exchange: Exchange) => boolean, fault: Fault) =>
  when((exchange, { cause }) => cause === 'json' && matches(bodyText(exchange), exchange), fault)

const isTruncated = (text: string) =>
  /^\{[^'/#\0]*$/.test(text) &&
  text.length < 1000 &&
  !text.trimEnd().endsWith('}') &&
  text === firstValue(text)
const isNothing = (text: string) => text.trim() === ''
const isDeep = (text: string) => text.includes('['.repeat(500)) || text.includes('{"a":'.repeat(500))
const isUnreadable = (_: string, { bytes }: Exchange) => bytes.toString('utf8').includes('\ufffd')

/** Stores that reject malformed JSON, but not as the contract declares. */
export const malformedServers: readonly BrokenServer[] = [
  row('crashes-on-malformed-json', 'Malformed JSON gets a 500.', anyJson, on('json', crash)),
  row('crashes-on-malformed-json-page', 'Malformed JSON gets an error page.', anyJson, on('json', crashPage)),
  row(
    'rejects-malformed-json-with-422',
    'Malformed JSON gets an undeclared 422.',
    anyJson,
    on('json', unprocessable),
  ),
  row(
    'rejects-malformed-json-with-200',
    'The rejection of malformed JSON has status 200.',
    anyJson,
    on('json', response => ({ ...response, status: 200 })),
  ),
  row(
    'rejects-malformed-json-in-text',
    'The rejection of malformed JSON is plain text.',
    anyJson,
    on('json', response => withText(response, 400, 'Bad Request')),
  ),
  row(
    'rejects-malformed-json-in-html',
    'The rejection of malformed JSON is an HTML page.',
    anyJson,
    on('json', response => withText(response, 400, '<pre>SyntaxError</pre>', 'text/html; charset=utf-8')),
  ),
  row(
    'rejects-malformed-json-without-body',
    'The rejection of malformed JSON has no body.',
    anyJson,
    on('json', response => ({ ...response, headers: {}, body: '' })),
  ),
  row(
    'rejects-malformed-json-as-problem',
    'The rejection of malformed JSON is a problem document.',
    anyJson,
    on('json', response =>
      withText(response, 400, '{"title":"Bad Request","status":400}', 'application/problem+json'),
    ),
  ),
  row(
    'rejects-malformed-json-without-message',
    'The rejection of malformed JSON has no message.',
    anyJson,
    on('json', response => withJson(response, 400, { error: 1 })),
  ),
  row(
    'rejects-malformed-json-with-string-error',
    'The rejection of malformed JSON has a string as its error.',
    anyJson,
    on('json', response => withJson(response, 400, { error: 'SyntaxError', message: 'not JSON' })),
  ),
  row('hangs-on-malformed-json', 'Malformed JSON gets no response.', anyJson, on('json', hang), hangs),
  row('resets-on-malformed-json', 'Malformed JSON resets the connection.', anyJson, on('json', reset)),
  row('hangs-up-on-malformed-json', 'Malformed JSON ends the connection.', anyJson, on('json', hangUp)),
  row(
    'crashes-on-truncated-json',
    'A truncated body gets a 500.',
    ofJson('truncated'),
    malformed(isTruncated, crash),
  ),
  row(
    'hangs-on-truncated-json',
    'A truncated body gets no response.',
    ofJson('truncated'),
    malformed(isTruncated, hang),
    hangs,
  ),
  row(
    'resets-on-truncated-json',
    'A truncated body resets the connection.',
    ofJson('truncated'),
    malformed(isTruncated, reset),
  ),
  row(
    'crashes-on-invalid-utf8',
    'Invalid UTF-8 gets a 500.',
    ofJson('invalid-utf8|.*utf'),
    malformed(isUnreadable, crash),
  ),
  row(
    'resets-on-invalid-utf8',
    'Invalid UTF-8 resets the connection.',
    ofJson('invalid-utf8|.*utf'),
    malformed(isUnreadable, reset),
  ),
  row(
    'crashes-on-nul-bytes',
    'Zero bytes, as in UTF-16, get a 500.',
    ofJson('utf-?16|control|trailing'),
    malformed(text => text.includes('\0'), crash),
  ),
  row('crashes-on-deep-nesting', 'Deep nesting gets a 500.', ofJson('deep'), malformed(isDeep, crash)),
  row(
    'hangs-on-deep-nesting',
    'Deep nesting gets no response.',
    ofJson('deep'),
    malformed(isDeep, hang),
    hangs,
  ),
  row(
    'resets-on-deep-nesting',
    'Deep nesting resets the connection.',
    ofJson('deep'),
    malformed(isDeep, reset),
  ),
  row(
    'crashes-on-trailing-garbage',
    'Anything that follows a plant gets a 500.',
    ofJson('trailing|.*garbage|two|concat|comment'),
    malformed(text => text !== firstValue(text), crash),
  ),
  row(
    'crashes-on-nan',
    'NaN gets a 500.',
    ofJson('nan|infinity'),
    malformed(text => /NaN|Infinity/.test(text), crash),
  ),
  row(
    'crashes-on-raw-control-characters',
    'Raw control characters get a 500.',
    ofJson('control|utf-?16|trailing|comment'),
    malformed(text => /\p{Cc}/u.test(text.trim()), crash),
  ),
  row('crashes-on-empty-body', 'An empty body gets a 500.', ofNothing, malformed(isNothing, crash)),
  row('hangs-on-empty-body', 'An empty body gets no response.', ofNothing, malformed(isNothing, hang), hangs),
  row(
    'hangs-up-on-empty-body',
    'An empty body ends the connection.',
    ofNothing,
    malformed(isNothing, hangUp),
  ),
  row(
    'rejects-empty-body-with-411',
    'An empty body gets an undeclared 411.',
    ofNothing,
    malformed(isNothing, response => ({ ...response, status: 411 })),
  ),
  row(
    'rejects-empty-body-without-body',
    'The rejection of an empty body is empty, too.',
    ofNothing,
    malformed(isNothing, response => ({ ...response, headers: {}, body: '' })),
  ),
]
