import type { RunEvent, Verdict } from '../../spec/index.ts'
import { answer, end, exchange, finding, note, obligations, request, start, verdicts } from './fixture.ts'

const broken = (cases: number, id: string): Verdict => ({ kind: 'broken', cases, finding: id })

export const conformant: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  exchange('1', 'request/body/id/int64-max'),
  note('after a 429 with Retry-After, 2 requests waited 1 s'),
  ...verdicts(),
  end(),
]

export const brokenFive: readonly RunEvent[] = [
  start(),
  exchange('7f3', 'request/body/id/type', { broken: ['createPlant/request/body/id/type'] }),
  finding('request/body/id/type', { also: ['createPlant/request/body/name/type'] }),
  finding('request/body/malformed', {
    id: '801',
    wanted: '400 application/json with an Error',
    got: 'no answer: no whole answer in 5,000 ms',
    request: request('{"id":1,'),
    outcome: {
      kind: 'failure',
      failure: 'timeout',
      status: null,
      detail: 'nothing came in 5,000 ms',
      ms: 5000,
    },
    curl: `curl -sS --max-time 10 -X POST https://staging.example.test/plants \\\n  -H "Authorization: Bearer $PLANTSTORE_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"id":1,'`,
    hint: 'the server hangs on JSON that ends too early: answer a parse error with a declared failure',
    cases: 3,
  }),
  finding('auth/none', {
    id: '9a0',
    wanted: '400 application/json with an Error',
    got: '401 application/problem+json {"title":"Unauthorized"}',
    request: request('{"id":471100007,"name":"Fern"}', { headers: [['Content-Type', 'application/json']] }),
    outcome: answer(401, '{"title":"Unauthorized","status":401}', 'application/problem+json'),
    hint: "401 is HTTP's own answer, but the contract does not declare it; --unauthenticated either accepts it",
    cases: 44,
  }),
  finding('load/concurrent', {
    id: 'b02',
    repeat: 'flaky',
    wanted: '200 application/json with a Plant',
    got: '500 text/html <h1>Internal Server Error</h1>',
    expected: 'accepted',
    request: request('{"id":471100900,"name":"Maidenhair","tag":"fern"}'),
    outcome: answer(500, '<h1>Internal Server Error</h1>', 'text/html'),
    hint: '',
    cases: 2,
  }),
  finding('response/200/echo/name', {
    id: 'c11',
    level: 'SHOULD',
    wanted: 'name "Fern  "',
    got: 'name "Fern"',
    expected: 'accepted',
    request: request('{"id":471100042,"name":"Fern  "}'),
    outcome: answer(200, '{"name":"Fern"}'),
    hint: 'the server trims what it stores: the Plant answered is not the Plant that was sent',
    cases: 9,
  }),
  note('the store already held id 471100000: the range was moved by 4,096', 'warning'),
  ...verdicts({
    'request/body/id/type': broken(120, '7f3'),
    'request/body/name/type': broken(120, '7f3'),
    'request/body/malformed': broken(60, '801'),
    'auth/none': broken(44, '9a0'),
    'load/concurrent': broken(400, 'b02'),
    'response/200/echo/name': broken(900, 'c11'),
  }),
  end({ conclusion: 'broken', requests: 4921, ms: 6480 }),
]

export const strictWarning: readonly RunEvent[] = [
  start({ policies: { unauthenticated: 'declared', strict: 'true' } }),
  finding('response/200/echo/name', { level: 'SHOULD' }),
  ...verdicts({ 'response/200/echo/name': broken(900, '7f3') }),
  end({ conclusion: 'broken' }),
]

const waiver = {
  obligation: 'createPlant/auth/none',
  reason: 'the gateway answers 401 until March',
  owner: 'platform',
  expires: '2027-03-31',
}
const old = { ...waiver, obligation: 'createPlant/request/body/name/type', reason: 'numbers are taken' }

export const waived: readonly RunEvent[] = [
  start({ waivers: [waiver, old] }),
  finding('auth/none', { wanted: '400', got: '401', cases: 44 }),
  ...verdicts({
    'auth/none': { kind: 'waived', cases: 44, finding: '7f3', waiver },
    'request/body/name/type': { kind: 'mended', cases: 12, waiver: old },
  }),
  end({ conclusion: 'broken' }),
]

export const adopted: readonly RunEvent[] = [
  start(),
  finding('auth/none', { wanted: '400', got: '401', cases: 44, outcome: answer(401, '') }),
  ...verdicts({
    'auth/none': { kind: 'accepted', cases: 44, finding: '7f3', since: '2026-11-02' },
    'request/body/name/type': { kind: 'mended', cases: 12, waiver: null },
  }),
  end({ conclusion: 'broken' }),
]

export const inconclusive: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  ...verdicts({
    'request/body/id/int64-max': {
      kind: 'inconclusive',
      cases: 2,
      because: 'the server answered 503 to 2 of 2 cases',
    },
    'request/body/id/int64-min': {
      kind: 'inconclusive',
      cases: 2,
      because: 'the server answered 503 to 2 of 2 cases',
    },
    'request/body/name/nul': {
      kind: 'inconclusive',
      cases: 1,
      because: 'the connection was reset once and not again',
    },
    'load/concurrent': { kind: 'untested', because: 'the budget of cases was spent before it' },
    'auth/lower-case': { kind: 'untested', because: 'no token was given: --token or PLANTSTORE_TOKEN' },
    'auth/none': { kind: 'untested', because: 'no token was given: --token or PLANTSTORE_TOKEN' },
    'auth/empty-token': { kind: 'untested', because: 'no token was given: --token or PLANTSTORE_TOKEN' },
    'auth/wrong-scheme': { kind: 'untested', because: 'no token was given: --token or PLANTSTORE_TOKEN' },
  }),
  end({ conclusion: 'inconclusive', stopped: 'time', why: '30 s', cases: 811, requests: 830, ms: 30_012 }),
]

export const cutOff: readonly RunEvent[] = [
  start(),
  exchange('0', 'request/body/valid'),
  ...verdicts().slice(0, 3),
]

/** Everything that a server or a document could put into a report to break it. */
export const poison =
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 </script><script>alert(1)</script><img src=x onerror=alert(2)> ]]> <!-- --> &amp; \u0000\u0008\u009b2J \u202egnp.exe \ufeff\u200b \ud800 "\'` \r\nHTTP/1.1 200 OK'

export const hostile: readonly RunEvent[] = [
  start({
    target: `https://staging.example.test/${poison}`,
    contract: { title: poison, version: poison, openapi: poison, digest: poison, source: poison },
    policies: { [poison]: poison },
    identities: [{ operation: poison, place: poison, from: poison, to: poison, also: [poison] }],
    operations: [{ id: 'createPlant', method: poison, path: poison, summary: poison }],
    obligations: obligations.map((obligation, index) =>
      index === 7
        ? {
            ...obligation,
            promise: poison,
            clause: { ...obligation.clause, place: { file: poison, line: 1, pointer: poison }, rule: poison },
          }
        : obligation,
    ),
  }),
  finding('request/body/id/type', {
    id: poison,
    also: [poison],
    wanted: poison,
    got: poison.repeat(40),
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
    outcome: answer(200, poison, poison),
  }),
  note(poison, 'warning'),
  ...verdicts({
    'request/body/id/type': broken(1, poison),
    'request/body/name/type': { kind: 'inconclusive', cases: 1, because: poison },
    'request/body/malformed': { kind: 'untested', because: poison },
    'open/duplicate-id': { kind: 'observed', cases: 1, what: poison },
  }),
  end({ conclusion: 'broken', stopped: 'fault', why: poison, digest: poison }),
]

/** Every run by its name. */
export const runs = { conformant, brokenFive, strictWarning, waived, adopted, inconclusive, cutOff, hostile }
