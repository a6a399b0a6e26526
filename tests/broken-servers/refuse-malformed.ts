import {
  bodyText,
  crash,
  crashPage,
  type Failing,
  hang,
  hangUp,
  on,
  reset,
  unprocessable,
  when,
  withJson,
  withText,
} from './faults.ts'
import { firstValue } from './first-value.ts'
import type { Asked, Broken } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('refuse')

const anyJson = /^createPlant\/(request\/body\/(json|required)|response\/)/
const ofJson = (classes: string) => new RegExp(`^createPlant/(request/body/json/(${classes})|response/)`)
const ofNothing = /^createPlant\/(request\/body\/(required|json|presence|empty|absent)|response\/)/

const malformed = (looks: (text: string, asked: Asked) => boolean, failing: Failing) =>
  when((asked, { cause }) => cause === 'json' && looks(bodyText(asked), asked), failing)

const isTruncated = (text: string) =>
  /^\{[^'/#\0]*$/.test(text) &&
  text.length < 1000 &&
  !text.trimEnd().endsWith('}') &&
  text === firstValue(text)
const isNothing = (text: string) => text.trim() === ''
const isDeep = (text: string) => text.includes('['.repeat(500)) || text.includes('{"a":'.repeat(500))
const isUnreadable = (_: string, { bytes }: Asked) => bytes.toString('utf8').includes('\ufffd')

/** Stores that see what is not JSON, and refuse it in a way that the contract does not have. */
export const malformedServers: readonly Broken[] = [
  row('crashes-on-malformed-json', 'What is not JSON gets a 500.', anyJson, on('json', crash)),
  row(
    'crashes-on-malformed-json-page',
    'What is not JSON gets an error page.',
    anyJson,
    on('json', crashPage),
  ),
  row(
    'refuses-malformed-json-with-422',
    'What is not JSON gets an undeclared 422.',
    anyJson,
    on('json', unprocessable),
  ),
  row(
    'refuses-malformed-json-with-200',
    'The refusal of what is not JSON has status 200.',
    anyJson,
    on('json', answer => ({ ...answer, status: 200 })),
  ),
  row(
    'refuses-malformed-json-in-text',
    'The refusal of what is not JSON is plain text.',
    anyJson,
    on('json', answer => withText(answer, 400, 'Bad Request')),
  ),
  row(
    'refuses-malformed-json-in-html',
    'The refusal of what is not JSON is a page.',
    anyJson,
    on('json', answer => withText(answer, 400, '<pre>SyntaxError</pre>', 'text/html; charset=utf-8')),
  ),
  row(
    'refuses-malformed-json-without-body',
    'The refusal of what is not JSON has no body.',
    anyJson,
    on('json', answer => ({ ...answer, headers: {}, body: '' })),
  ),
  row(
    'refuses-malformed-json-as-problem',
    'The refusal of what is not JSON is a problem document.',
    anyJson,
    on('json', answer =>
      withText(answer, 400, '{"title":"Bad Request","status":400}', 'application/problem+json'),
    ),
  ),
  row(
    'refuses-malformed-json-without-message',
    'The refusal of what is not JSON has no message.',
    anyJson,
    on('json', answer => withJson(answer, 400, { error: 1 })),
  ),
  row(
    'refuses-malformed-json-with-error-text',
    'The refusal of what is not JSON has a text as its error.',
    anyJson,
    on('json', answer => withJson(answer, 400, { error: 'SyntaxError', message: 'not JSON' })),
  ),
  row('hangs-on-malformed-json', 'What is not JSON gets no answer.', anyJson, on('json', hang)),
  row('resets-on-malformed-json', 'What is not JSON resets the connection.', anyJson, on('json', reset)),
  row('hangs-up-on-malformed-json', 'What is not JSON ends the connection.', anyJson, on('json', hangUp)),
  row(
    'crashes-on-truncated-json',
    'A truncated body gets a 500.',
    ofJson('truncated'),
    malformed(isTruncated, crash),
  ),
  row(
    'hangs-on-truncated-json',
    'A truncated body gets no answer.',
    ofJson('truncated'),
    malformed(isTruncated, hang),
  ),
  row(
    'resets-on-truncated-json',
    'A truncated body resets the connection.',
    ofJson('truncated'),
    malformed(isTruncated, reset),
  ),
  row(
    'crashes-on-invalid-utf8',
    'Bytes that are no UTF-8 get a 500.',
    ofJson('invalid-utf8|.*utf'),
    malformed(isUnreadable, crash),
  ),
  row(
    'resets-on-invalid-utf8',
    'Bytes that are no UTF-8 reset the connection.',
    ofJson('invalid-utf8|.*utf'),
    malformed(isUnreadable, reset),
  ),
  row(
    'crashes-on-nul-bytes',
    'Bytes of zero, as in UTF-16, get a 500.',
    ofJson('utf-?16|control|trailing'),
    malformed(text => text.includes('\0'), crash),
  ),
  row('crashes-on-deep-nesting', 'Deep nesting gets a 500.', ofJson('deep'), malformed(isDeep, crash)),
  row('hangs-on-deep-nesting', 'Deep nesting gets no answer.', ofJson('deep'), malformed(isDeep, hang)),
  row(
    'resets-on-deep-nesting',
    'Deep nesting resets the connection.',
    ofJson('deep'),
    malformed(isDeep, reset),
  ),
  row(
    'crashes-on-trailing-garbage',
    'What follows a plant gets a 500.',
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
  row('hangs-on-empty-body', 'An empty body gets no answer.', ofNothing, malformed(isNothing, hang)),
  row(
    'hangs-up-on-empty-body',
    'An empty body ends the connection.',
    ofNothing,
    malformed(isNothing, hangUp),
  ),
  row(
    'refuses-empty-body-with-411',
    'An empty body gets an undeclared 411.',
    ofNothing,
    malformed(isNothing, answer => ({ ...answer, status: 411 })),
  ),
  row(
    'refuses-empty-body-without-body',
    'The refusal of an empty body is empty too.',
    ofNothing,
    malformed(isNothing, answer => ({ ...answer, headers: {}, body: '' })),
  ),
]
