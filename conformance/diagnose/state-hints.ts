import type { StateName } from '../../spec/index.ts'

const apart =
  'Look at the condition of the query or update: it has to name this one resource, by its whole key.'

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
  again: 'Respond that it is gone, or with success: a client that got no response asks again.',
}
