import { describe, expect, test } from 'vitest'
import {
  createResponseJudge,
  type Expectation,
  failureTitle,
  type Json,
  type Obligation,
  type Outcome,
  parseJson,
  type ResponseViolation,
  violationOf,
} from '../../../spec/index.ts'
import { contracts, operationOf } from '../contracts.ts'
import { answered, failed, obligationOf, response } from './outcomes.ts'

const expectations: Readonly<Record<Obligation['family'], Expectation>> = {
  accept: 'accept',
  reject: 'reject',
  auth: 'reject',
  response: 'accept',
  state: 'either',
  ownership: 'either',
  flow: 'either',
  idempotency: 'either',
  conditional: 'either',
  callback: 'either',
  stability: 'accept',
  unspecified: 'either',
  protocol: 'accept',
}

type Example = {
  readonly body?: Json
  readonly parameters?: Readonly<Record<string, Json>>
  /** The obligation of the test case, if it is a different one. */
  readonly by?: string
  readonly violation?: Partial<ResponseViolation>
  readonly secrets?: readonly string[]
}

const titleOf = (id: string, outcome: Outcome, example: Example = {}): string => {
  const obligation = obligationOf(id)
  const by = obligationOf(example.by ?? id)
  const isAccepted = by.subject.kind === 'credentials' && by.subject.isAccepted
  return failureTitle(
    {
      obligation,
      testCase: {
        obligation: by,
        expectation: isAccepted ? 'accept' : expectations[by.family],
        values: { body: example.body, parameters: example.parameters ?? {} },
      },
      outcome,
      violation: { ...violationOf(obligation, { expected: '', actual: '' }), ...example.violation },
    },
    example.secrets ?? [],
  )
}

describe('a title says what went wrong', () => {
  const create = 'createPlant'
  const id = { id: parseJson('2147483648'), name: 'Fern' }
  test.each<[string, Outcome, string, Example?]>([
    ['request/valid', answered(400), 'rejected a valid request'],
    ['request/valid', answered(500), 'answered 500 to a valid request'],
    ['request/valid', failed('timeout'), 'did not respond to a valid request in time'],
    [
      'request/valid',
      { kind: 'failure', failure: 'timeout', status: null, detail: '', ms: 5000, blockedMs: 9000 },
      'did not respond to a valid request in time, nor to anything else meanwhile',
    ],
    [
      'request/body/presence/with-tag',
      answered(400),
      'rejected a body with the optional property `tag`',
      { by: 'createPlant/request/body/name/ascii' },
    ],
    [
      'request/body/id/past-int32',
      answered(400),
      'rejected an integer just beyond int32 as `id` (2147483648)',
      { body: id },
    ],
    ['request/body/id/zero', answered(422), 'rejected 0 as `id`', { body: { id: 0 } }],
    [
      'request/body/id/int64-max',
      answered(500),
      'answered 500 to the largest int64 as `id` (9223372036854775807)',
      { body: { id: parseJson('9223372036854775807') } },
    ],
    [
      'request/body/name/quotes',
      failed('reset'),
      'closed the connection on a string with quotation marks as `name` ("it\'s")',
      { body: { name: "it's" } },
    ],
    [
      'request/body/name/nul',
      answered(400),
      'rejected a string with the NUL character as `name` ("a\\u0000b")',
      { body: { name: 'a\0b' } },
    ],
    [
      'request/body/name/line-separator',
      answered(400),
      'rejected a string with a line or paragraph separator as `name` ("a\\u2028b")',
      { body: { name: 'a\u2028b' } },
    ],
    [
      'request/body/name/long-65536',
      answered(413),
      'answered 413 to a string of 65,536 characters as `name`',
      { body: { name: 'x'.repeat(65_536) } },
    ],
    // Minimising left part of one of the values.
    [
      'request/body/name/backslash',
      answered(500),
      'answered 500 to a string with slashes or backslashes as `name` ("\\\\")',
      { body: { name: '\\' } },
    ],
    [
      'request/body/name/backslash',
      answered(500),
      'answered 500 to a string with slashes or backslashes as `name`',
      { body: { name: 'a' } },
    ],
    [
      'request/body/name/empty',
      answered(500),
      'answered 500 to an empty string as `name`',
      { body: { name: '' } },
    ],
    // The request has none of the values that the obligation is about: what was sent counts.
    [
      'request/body/name/accents',
      answered(400),
      'rejected a string in right-to-left script as `name` ("ياسمين")',
      { by: 'createPlant/request/body/name/right-to-left', body: { name: 'ياسمين' } },
    ],
    ['request/layout/key-order', answered(400), 'rejected a body with its properties in another order'],
    [
      'request/layout/escaped-names',
      answered(500),
      'answered 500 to a body with \\u escapes in its property names',
    ],
    ['request/framing/chunked', answered(411), 'answered 411 to a body sent in chunks'],
    ['request/size/100-kilobytes', answered(413), 'answered 413 to a body of 100 kilobytes'],
    [
      'request/content-type/charset',
      answered(415),
      'answered 415 to a Content-Type with a charset parameter',
    ],
    ['request/content-type/text', answered(200), 'accepted a body of type text/plain'],
    ['request/content-type/absent', answered(200), 'accepted a body without a Content-Type'],
    [
      'request/body/id/type/numeral',
      answered(200),
      'accepted a number in quotation marks as `id` instead of an integer ("1")',
      { body: { id: '1' } },
    ],
    [
      'request/body/id/type/null',
      answered(200),
      'accepted null as `id` instead of an integer',
      { body: { id: null } },
    ],
    [
      'request/body/id/format/above',
      answered(200),
      'accepted an integer above the int64 range as `id` (9223372036854775808)',
      { body: { id: parseJson('9223372036854775808') } },
    ],
    ['request/body/name/required', answered(200), 'accepted a body without `name`', { body: { id: 1 } }],
    ['request/body/name/required', answered(302), 'answered 302 to a body without `name`'],
    ['request/body/required/absent', answered(500), 'answered 500 to a request without a body'],
    ['request/body/required/empty-object', answered(200), 'accepted an object without any property'],
    ['request/body/json/trailing-comma', answered(500), 'answered 500 to malformed JSON (trailing comma)'],
    ['auth/absent', answered(200), 'accepted a request without credentials'],
    [
      'auth/absent',
      { kind: 'response', ms: 1, response: response(200, '<p>Sign in</p>', 'text/html; charset=utf-8') },
      'answered 200 with an HTML page to a request without credentials',
    ],
    ['auth/absent', answered(404), 'answered 404 to a request without credentials'],
    ['auth/wrong-token', answered(200), 'accepted a request with another token of the same form'],
    [
      'auth/sticky-connection',
      answered(201),
      'accepted a request without credentials right after an accepted one on the same connection',
    ],
    ['auth/lower-case-scheme', answered(400), 'rejected a request with the scheme in lower case (`bearer`)'],
    [
      'response/declared',
      answered(401),
      'answered 401 to a request without credentials, an undeclared status',
      {
        by: 'createPlant/auth/absent',
        violation: { id: 'createPlant/response/declared', title: 'answered 401, an undeclared status' },
      },
    ],
    [
      'response/declared',
      answered(503),
      'answered 503 to malformed JSON (comment)',
      {
        by: 'createPlant/request/body/json/comment',
        violation: { id: 'createPlant/response/declared', title: 'answered 503, an undeclared status' },
      },
    ],
    [
      'response/declared',
      answered(203),
      'answered 203 to a valid request, an undeclared status',
      {
        by: 'createPlant/request/body/name/empty',
        violation: { id: 'createPlant/response/declared', title: 'answered 203, an undeclared status' },
      },
    ],
    [
      'response/declared',
      failed('reset'),
      'closed the connection on a second request with the same `id`',
      { by: 'createPlant/unspecified/duplicate-id' },
    ],
    [
      'response/200/length',
      failed('reset', 200),
      'closed the connection in the middle of its 200 response to a valid request',
      { by: 'createPlant/request/valid' },
    ],
    [
      'response/200/length',
      failed('timeout', 200),
      'did not finish its 200 response to a valid request in time',
      { by: 'createPlant/request/valid' },
    ],
    [
      'stability/pairing',
      answered(200),
      'answered with the `name` of another request',
      { violation: { title: 'answered with the `name` of another request' } },
    ],
    [
      'stability/consistency',
      answered(500),
      'sometimes answered 500 to a valid request',
      { by: 'createPlant/request/valid' },
    ],
    [
      'stability/consistency',
      answered(200),
      'sometimes accepted a request without credentials',
      { by: 'createPlant/auth/absent' },
    ],
    [
      'stability/consistency',
      answered(200),
      'sometimes answered 200 without a Content-Type',
      {
        by: 'createPlant/request/valid',
        violation: {
          id: 'createPlant/response/200/content-type',
          title: 'answered 200 without a Content-Type',
        },
      },
    ],
    [
      'stability/drift',
      answered(503),
      'stopped accepting valid requests during the run (503)',
      { by: 'createPlant/request/valid' },
    ],
    [
      'stability/drift',
      failed('timeout'),
      'stopped accepting valid requests during the run (timeout)',
      { by: 'createPlant/request/valid' },
    ],
    [
      'stability/drift',
      answered(503),
      'answered 503 to a request without credentials under sustained load',
      { by: 'createPlant/auth/absent' },
    ],
    ['stability/recovery', answered(400), 'rejected a valid request right after a rejected one'],
    [
      'unspecified/duplicate-id',
      answered(200),
      'accepted a second request with the same `id`, contrary to its pin',
    ],
    [
      'unspecified/other-method',
      answered(404),
      'answered 404 to an undeclared method on the path, contrary to its pin',
    ],
    [
      'unspecified/credentials',
      answered(401),
      'answered 401 to a request without credentials, contrary to its pin',
      { by: 'createPlant/auth/absent' },
    ],
    ['protocol/missing-host', answered(200), 'accepted a request without Host'],
    ['request/framing/chunk-trailer', answered(400), 'rejected a trailer after the last chunk'],
    ['protocol/long-target', answered(500), 'answered 500 to a request target of 40,000 characters'],
    ['protocol/absolute-form', failed('reset'), 'closed the connection on a request target in absolute form'],
    [
      'request/framing/connection-close',
      answered(200, { closed: false }),
      'left the connection open after a request with `Connection: close`',
    ],
    [
      'protocol/length-and-chunked-end',
      answered(200, { statuses: [200, 400] }),
      'answered a request with both Content-Length and chunks and left the connection open',
    ],
    [
      'protocol/pipelined',
      answered(200, { statuses: [200], closed: false }),
      'did not respond to the second of two pipelined requests',
    ],
    [
      'protocol/pipelined',
      answered(200, { statuses: [200, 200] }),
      'answered 200 to the second of two pipelined requests, which is invalid',
    ],
    [
      'protocol/pipelined',
      answered(503, { statuses: [503] }),
      'answered 503 to the first of two pipelined requests',
    ],
    [
      'request/framing/expect-continue',
      answered(200, { early: false }),
      'sent neither 100 Continue nor a response before the body of a request with `Expect: 100-continue`',
    ],
    [
      'protocol/http-1.0-response',
      answered(200, { interim: [100] }),
      'sent the interim response 100 to an HTTP/1.0 request',
    ],
    ['protocol/http-1.0-response', answered(200, {}), 'answered an HTTP/1.0 request with Transfer-Encoding'],
    [
      'protocol/recovery',
      failed('refused'),
      'refused the connection for a valid request after malformed ones',
    ],
  ])('%s, %j: %s', (path, outcome, title, example) => {
    expect(titleOf(`${create}/${path}`, outcome, example)).toBe(title)
  })

  test.each<[string, Outcome, string, Example?]>([
    [
      'listBooks/request/query/limit/maximum',
      answered(200),
      'accepted a number above the maximum 100 as the query parameter `limit` (101)',
      { parameters: { limit: 101 } },
    ],
    [
      'listBooks/request/query/limit/at-maximum',
      answered(400),
      'rejected the maximum 100 as the query parameter `limit`',
      { parameters: { limit: 100 } },
    ],
    [
      'listBooks/request/query/page/n/required',
      answered(200),
      'accepted the query parameter `page` without `n`',
    ],
    // The outcome does not show which of several items is wrong.
    [
      'listBooks/request/query/order/*/enum',
      answered(200),
      'accepted a value outside ["title","year"] as the query parameter `order[]`',
      { parameters: { order: ['title', 'x'] } },
    ],
    [
      'getBook/request/path/bookId/type/string',
      answered(200),
      'accepted a string as the path parameter `bookId` instead of an integer ("a")',
      { parameters: { bookId: 'a' } },
    ],
    [
      'putShelf/request/header/If-Match/required',
      answered(200),
      'accepted a request without the header parameter `If-Match`',
    ],
    [
      'createLoan/request/body/borrower/oneOf/0',
      answered(400),
      'rejected `borrower` in the form of alternative 1',
    ],
    ['createLoan/request/body/copies/items/several', answered(400), 'rejected `copies` with several items'],
    ['listBooks/auth/absent', answered(200), 'accepted a request without an API key'],
    ['pay/auth/no-colon', answered(201), 'accepted a request without a colon between user and password'],
    [
      'refund/request/body/lines/*/minimum',
      answered(200),
      'accepted a number below the minimum 1 as `lines[]` (0)',
      { body: { lines: [0] } },
    ],
  ])('%s, %j: %s', (id, outcome, title, example) => {
    expect(titleOf(id, outcome, example)).toBe(title)
  })
})

test('a title contains no secret, not even part of one, however the server returned it', () => {
  const secret = 'correct-horse-battery-staple'
  const [violation] = createResponseJudge(
    contracts.plantStore,
    operationOf(contracts.plantStore, 'createPlant'),
  )(response(200, JSON.stringify({ name: secret })), { name: 'Fern' })
  const example = { by: 'createPlant/request/valid', violation: violation ?? {}, secrets: [secret] }
  expect(titleOf('createPlant/response/200/echo/name', answered(200), example)).toBe(
    'answered 200 with "{{token}}" as `name`, although "Fern" was sent',
  )
  const long = `${secret}/${'x'.repeat(300)}`
  const described = createResponseJudge(
    contracts.plantStore,
    operationOf(contracts.plantStore, 'createPlant'),
  )(response(200, JSON.stringify({ name: long })), { name: 'Fern' })
  expect(described[0]?.title).toBe(
    'answered 200 with a string of 329 characters as `name`, although "Fern" was sent',
  )
})

test('a property name with a line break stays in one line, and a long one is cut', () => {
  const titleFor = (input: string): string =>
    failureTitle(
      {
        obligation: { ...obligationOf('createPlant/request/body/name/required'), input },
        testCase: {
          obligation: obligationOf('createPlant/request/body/name/required'),
          expectation: 'reject',
          values: { body: {}, parameters: {} },
        },
        outcome: answered(200),
        violation: violationOf(obligationOf('createPlant/request/body/name/required'), {
          expected: '',
          actual: '',
        }),
      },
      [],
    )
  expect(titleFor('a body without `a\nb\u2028`')).toBe('accepted a body without `a\\u000ab\\u2028`')
  const cut = titleFor(`a body without \`${'x'.repeat(200)}\``)
  expect([cut.length, cut.slice(0, 26), cut.at(-1)]).toEqual([140, 'accepted a body without `x', '…'])
})
