import { families } from '../spec/index.ts'
import {
  choice,
  listOf,
  mapOf,
  maybe,
  number,
  oneOf,
  orNull,
  pair,
  record,
  type Shape,
  text,
  truth,
} from './shape.ts'

const level = oneOf('MUST', 'SHOULD', 'OBSERVE')
const expected = oneOf('accepted', 'refused', 'either')
const body = record({ encoding: oneOf('utf8', 'base64'), data: text, bytes: number })
const headers = listOf(pair)
const raw = record({ pieces: listOf(text), end: oneOf('now', 'later', 'never'), answers: number })
const request = record({
  method: text,
  target: text,
  headers,
  body: orNull(body),
  chunked: truth,
  raw: maybe(raw),
})
const failure = oneOf('refused', 'unreachable', 'reset', 'timeout', 'malformed', 'too-large')

const outcome = choice('kind', {
  answer: record({ status: number, headers, body, ms: number }),
  failure: record({ failure, status: orNull(number), detail: text, ms: number }),
})

const waiver = record({ obligation: text, reason: text, owner: text, expires: text })

const verdict = choice('kind', {
  kept: record({ cases: number }),
  broken: record({ cases: number, finding: text }),
  waived: record({ cases: number, finding: text, waiver }),
  mended: record({ cases: number, waiver: orNull(waiver) }),
  accepted: record({ cases: number, finding: text, since: text }),
  observed: record({ cases: number, what: text }),
  inconclusive: record({ cases: number, because: text }),
  untested: record({ because: text }),
})

const clause = record({
  pointer: text,
  place: record({ file: text, line: number, pointer: text }),
  rule: orNull(text),
})

/** What an event looks like on disk. */
export const eventShape: Shape = choice('type', {
  start: record({
    product: record({ name: text, version: text }),
    at: text,
    target: text,
    seed: number,
    contract: record({ title: text, version: text, openapi: text, digest: text, source: text }),
    policies: mapOf(text),
    budget: record({ cases: orNull(number), seconds: orNull(number), concurrency: number }),
    selection: record({ only: listOf(text), skip: listOf(text) }),
    waivers: listOf(waiver),
    planned: orNull(number),
    identities: listOf(record({ operation: text, place: text, from: text, to: text, also: listOf(text) })),
    operations: listOf(record({ id: text, method: text, path: text, summary: text })),
    obligations: listOf(
      record({
        id: text,
        operation: text,
        family: oneOf(...families),
        level,
        promise: text,
        clause,
        pinned: maybe(listOf(text)),
      }),
    ),
  }),
  exchange: record({ id: text, obligation: text, expected, request, outcome, broken: listOf(text) }),
  note: record({ level: oneOf('info', 'warning'), message: text }),
  finding: record({
    id: text,
    obligation: text,
    level,
    also: listOf(text),
    wanted: text,
    got: text,
    repeat: oneOf('steady', 'flaky'),
    cases: number,
    expected,
    request,
    outcome,
    curl: text,
    hint: text,
  }),
  verdict: record({ obligation: text, verdict }),
  end: record({
    stopped: oneOf('done', 'time', 'bail', 'interrupt', 'unreachable', 'fault'),
    why: orNull(text),
    conclusion: oneOf('conformant', 'broken', 'inconclusive'),
    requests: number,
    cases: number,
    ms: number,
    digest: text,
  }),
})
