import type { StateName } from '../../spec/index.ts'

const apart =
  'Look at the condition of the query or update: it has to name this one resource, by its whole key.'

const kept =
  'Look the resource up by its name and by who asks, or compare its owner before anything else. If all are meant to have it, pin the answer `shared`.'

/** Where to look if the server does not keep what it should. */
export const stateHints: Readonly<Record<StateName, string>> = {
  'read-back': 'Respond only when the resource is stored, and with the name under which it can be asked for.',
  location: 'Build Location from the name of what was created.',
  stored:
    'Compare what is stored with what was sent, property by property. Look for a mapping that forgets one, and for defaults in the place of zero, false and empty values.',
  apart,
  rejected: 'Check credentials and the whole body before anything is stored, or undo it in a transaction.',
  'unknown-parent': 'Check that what the path names exists before something is stored below it.',
  unchanged: 'A GET must not write. Look for counters, caches and clean-ups in what is read.',
  unknown: 'Respond with the declared failure if nothing has this name.',
  elsewhere: 'Look the resource up by all the names in its path, and not by the last one alone.',
  contains: 'Look for a filter, a cache or a wrong page in what lists resources.',
  items: 'Give each item as the operation that reads a single one does.',
  kept: 'Change only what the request has: a property that it leaves out stays as it is (RFC 5789, RFC 7396).',
  repeated: 'Replace the stored values by the values that were sent, instead of adding to them.',
  gone: 'Remove the resource, also from caches, or mark it and respond as if it were not there.',
  unlisted: 'Leave out of the list what was removed.',
  'other-read': kept,
  'other-list':
    'Filter the list by who asks, in the query itself. If all are meant to see it, pin the answer `shared`.',
  'other-replace': kept,
  'other-change': kept,
  'other-remove': kept,
  'other-refused':
    'Check who asks before anything is stored or removed, and not when the response is written: the change was made by then.',
  'key-once':
    'Store the key with its response in the transaction that creates the resource, and look it up before anything else.',
  'key-answer': 'Store the whole response with its key, and give that.',
  'key-other-body':
    'Store a digest of the request with its key. If another request has the key, answer 422 before anything is stored.',
  'key-other-operation': 'Look keys up by the operation and the user as well.',
  'key-at-once':
    'Let the database reject the second use of a key (UNIQUE), before the resource is created. Answer 409 while the first request is under way.',
  'if-same':
    'Compare If-None-Match with the ETag that a GET would give now (weak comparison), and answer 304 without a body.',
  'if-other': 'Answer 304 only if If-None-Match has the current ETag, or is `*`.',
  'if-old':
    'Compare If-Match in the update itself (WHERE version = …), and let the ETag follow from what is stored.',
  'if-current': 'Compare If-Match with the ETag of the last GET, quotes included.',
  'if-any': '`If-Match: *` holds for each resource that exists.',
  'if-absent': 'Answer 428 before anything is stored if a request has no If-Match.',
  again: 'Respond that it is gone, or with success: a client that got no response asks again.',
}

/** Of a server that rejects what it accepted before, by its status now. */
export const driftHints: Readonly<Record<number, string>> = {
  401: 'The server accepted the token before. Look in its log for what ended it. If a request of the run did, such as a logout or a change of settings, leave that operation out with --never.',
  503: 'The server accepted such requests before, and says now that it is out of service. If a request of the run did that, such as a change of settings, leave that operation out with --never.',
}

/** The same for any other status. */
export const driftHint =
  'The server accepted such requests before. Look in its log for what went wrong from then on, for state that requests share, and for limits that it reaches over time.'
