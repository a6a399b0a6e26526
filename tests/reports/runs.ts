import type { RunEvent, Verdict } from '../../spec/index.ts'
import {
  end,
  exchange,
  finding,
  note,
  obligations,
  request,
  response,
  start,
  untested,
  verdicts,
} from './fixture.ts'

const failed = (cases: number, id: string): Verdict => ({ kind: 'failed', cases, finding: id })

export const conformant: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  exchange('1', 'request/body/id/int64-max'),
  note('after a 429 with Retry-After, 2 requests waited 1 s'),
  ...verdicts(),
  end(),
]

export const fiveFailures: readonly RunEvent[] = [
  start(),
  exchange('7f3', 'request/body/id/type', { failed: ['createPlant/request/body/id/type'] }),
  finding('request/body/id/type', { also: ['createPlant/request/body/name/type'] }),
  finding('request/body/malformed', {
    id: '801',
    title: 'did not respond to a body that is not JSON (it ends too early)',
    expected: '400 application/json with an Error',
    actual: 'no whole response in 5,000 ms',
    request: request('{"id":1,'),
    outcome: {
      kind: 'failure',
      failure: 'timeout',
      status: null,
      detail: 'nothing came in 5,000 ms',
      ms: 5000,
    },
    curl: `curl -sS --max-time 10 -X POST https://staging.example.test/plants \\\n  -H "Authorization: Bearer $PLANTSTORE_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"id":1,'`,
    hint: 'Answer a parse error with a declared failure: the server hangs on JSON that ends too early.',
    cases: 3,
  }),
  finding('auth/none', {
    id: '9a0',
    title: 'answered an undeclared 401 to a request without credentials',
    expected: '400 application/json with an Error',
    actual: '401 application/problem+json {"title":"Unauthorized"}',
    request: request('{"id":471100007,"name":"Fern"}', { headers: [['Content-Type', 'application/json']] }),
    outcome: response(401, '{"title":"Unauthorized","status":401}', 'application/problem+json'),
    hint: 'Declare the 401 in the contract, or accept it with --unauthenticated either.',
    cases: 44,
  }),
  finding('stability/concurrent', {
    id: 'b02',
    title: 'answered 500 to a valid request with 32 in flight',
    repeat: 'flaky',
    expected: '200 application/json with a Plant',
    actual: '500 text/html <h1>Internal Server Error</h1>',
    expectation: 'accept',
    request: request('{"id":471100900,"name":"Maidenhair","tag":"fern"}'),
    outcome: response(500, '<h1>Internal Server Error</h1>', 'text/html'),
    hint: '',
    cases: 2,
  }),
  finding('response/200/echo/name', {
    id: 'c11',
    title: 'returned `name` changed: "Fern" instead of "Fern  "',
    level: 'SHOULD',
    expected: 'name "Fern  "',
    actual: 'name "Fern"',
    expectation: 'accept',
    request: request('{"id":471100042,"name":"Fern  "}'),
    outcome: response(200, '{"name":"Fern"}'),
    hint: 'Return what was sent: the server trims what it stores.',
    cases: 9,
  }),
  note('the store already held `id` 471100000: the range was moved by 4,096', 'warning'),
  ...verdicts({
    'request/body/id/type': failed(120, '7f3'),
    'request/body/name/type': failed(120, '7f3'),
    'request/body/malformed': failed(60, '801'),
    'auth/none': failed(44, '9a0'),
    'stability/concurrent': failed(400, 'b02'),
    'response/200/echo/name': failed(900, 'c11'),
  }),
  end({ conclusion: 'nonconformant', requests: 4921, ms: 6480 }),
]

export const strictWarning: readonly RunEvent[] = [
  start({ policies: { unauthenticated: 'declared', strict: 'true' } }),
  finding('response/200/echo/name', {
    level: 'SHOULD',
    title: 'returned `name` changed: "" instead of "Fern"',
    expected: 'name "Fern"',
    actual: 'name ""',
  }),
  ...verdicts({ 'response/200/echo/name': failed(900, '7f3') }),
  end({ conclusion: 'nonconformant' }),
]

const waiver = {
  obligation: 'createPlant/auth/none',
  reason: 'the gateway answers 401 until March',
  owner: 'platform',
  expires: '2027-03-31',
}
const old = { ...waiver, obligation: 'createPlant/request/body/name/type', reason: 'numbers are accepted' }

/** A waiver accepts the only failure. */
export const accepted: readonly RunEvent[] = [
  start({ waivers: [waiver] }),
  finding('auth/none', {
    title: 'answered an undeclared 401 to a request without credentials',
    expected: '400',
    actual: '401',
    cases: 44,
  }),
  ...verdicts({ 'auth/none': { kind: 'waived', cases: 44, finding: '7f3', waiver } }),
  end({ conclusion: 'accepted' }),
]

export const waived: readonly RunEvent[] = [
  start({ waivers: [waiver, old] }),
  finding('auth/none', {
    title: 'answered an undeclared 401 to a request without credentials',
    expected: '400',
    actual: '401',
    cases: 44,
  }),
  ...verdicts({
    'auth/none': { kind: 'waived', cases: 44, finding: '7f3', waiver },
    'request/body/name/type': { kind: 'fixed', cases: 12, waiver: old },
  }),
  end({ conclusion: 'outdated' }),
]

export const baselined: readonly RunEvent[] = [
  start(),
  finding('auth/none', {
    title: 'answered an undeclared 401 to a request without credentials',
    expected: '400',
    actual: '401',
    cases: 44,
    outcome: response(401, ''),
  }),
  ...verdicts({
    'auth/none': { kind: 'baselined', cases: 44, finding: '7f3', since: '2026-11-02' },
    'request/body/name/type': { kind: 'fixed', cases: 12, waiver: null },
  }),
  end({ conclusion: 'outdated' }),
]

export const inconclusive: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  ...verdicts({
    'request/body/id/int64-max': {
      kind: 'inconclusive',
      cases: 2,
      reason: 'the server answered 503 to 2 of 2 cases',
    },
    'request/body/id/int64-min': {
      kind: 'inconclusive',
      cases: 2,
      reason: 'the server answered 503 to 2 of 2 cases',
    },
    'request/body/name/nul': {
      kind: 'inconclusive',
      cases: 1,
      reason: 'the connection was reset once and not again',
    },
    'stability/concurrent': untested('budget', 'the budget was spent before it was reached'),
    'auth/lower-case': untested('unsupported', 'no token was given: use --token or PLANTSTORE_TOKEN'),
    'auth/none': untested('unsupported', 'no token was given: use --token or PLANTSTORE_TOKEN'),
    'auth/empty-token': untested('unsupported', 'no token was given: use --token or PLANTSTORE_TOKEN'),
    'auth/wrong-scheme': untested('unsupported', 'no token was given: use --token or PLANTSTORE_TOKEN'),
  }),
  end({ conclusion: 'inconclusive', stopped: 'time', reason: '30 s', cases: 811, requests: 830, ms: 30_012 }),
]

/** A run with `--only createPlant/auth`: nothing failed, and most was not tested. */
export const partial: readonly RunEvent[] = [
  start({ selection: { only: ['createPlant/auth'], skip: [] } }),
  exchange('0', 'auth/none', { expectation: 'reject', outcome: response(400, '{"error":1}') }),
  ...verdicts(
    Object.fromEntries(
      obligations.flatMap(({ id, family }): [string, Verdict][] =>
        family === 'auth'
          ? []
          : [[id.replace('createPlant/', ''), untested('selection', 'left out by --only or --skip')]],
      ),
    ),
  ),
  end({ conclusion: 'partial', cases: 96, requests: 110, ms: 87 }),
]

export const cutOff: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  ...verdicts().slice(0, 3),
]

/** Everything with which a server or a document could try to break a report. */
export const poison =
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 </script><script>alert(1)</script><img src=x onerror=alert(2)> ]]> <!-- --> &amp; \u0000\u0008\u009b2J \u202egnp.exe \ufeff\u200b \ud800 "\'` \r\nHTTP/1.1 200 OK'

export const hostile: readonly RunEvent[] = [
  start({
    target: `https://staging.example.test/${poison}`,
    contract: { title: poison, version: poison, openapi: poison, digest: poison, source: poison },
    policies: { [poison]: poison },
    identities: [{ operation: poison, place: poison, from: poison, to: poison, also: [poison] }],
    clauses: [{ id: poison, at: poison, text: poison, obligations: [], reason: poison }],
    operations: [{ id: 'createPlant', method: poison, path: poison, summary: poison }],
    obligations: obligations.map((obligation, index) =>
      index === 7
        ? {
            ...obligation,
            requirement: poison,
            clause: { ...obligation.clause, place: { file: poison, line: 1, pointer: poison }, rule: poison },
          }
        : obligation,
    ),
  }),
  finding('request/body/id/type', {
    id: poison,
    title: poison,
    excerpt: { from: 1, line: 1, lines: [poison, poison] },
    also: [poison],
    expected: poison,
    actual: poison.repeat(40),
    hint: poison,
    curl: poison,
    request: request(poison, {
      target: poison,
      method: poison,
      headers: [
        [poison, poison],
        ['Authorization', poison],
      ],
    }),
    outcome: response(200, poison, poison),
  }),
  note(poison, 'warning'),
  ...verdicts({
    'request/body/id/type': failed(1, poison),
    'request/body/name/type': { kind: 'inconclusive', cases: 1, reason: poison },
    'request/body/malformed': untested('unsupported', poison),
    'unspecified/duplicate-id': { kind: 'observed', cases: 1, observation: poison },
  }),
  end({ conclusion: 'nonconformant', stopped: 'fault', reason: poison, digest: poison }),
]

/** Every run by its name. */
export const runs = {
  conformant,
  fiveFailures,
  strictWarning,
  waived,
  baselined,
  inconclusive,
  accepted,
  partial,
  cutOff,
  hostile,
}
