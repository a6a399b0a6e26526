import type { CallbackName } from '../../spec/index.ts'

const asDeclared =
  'Compare what is sent with the callback or webhook in the document: its method, its URL, its media type and its body.'

/** Where to look if a callback is not as it should be. */
export const callbackHints: Readonly<Record<CallbackName, string>> = {
  sent: 'Look in the log of the server for why it is not sent. The server has to reach the listener: see --public-url. If it takes longer, raise --callback-wait.',
  request: asDeclared,
  credentials:
    'Send the credentials that the document declares for the callback with each attempt, also when it is sent again.',
  own: 'Take the URL and the values from the same request. Look for state that requests share: a global, a cache, one subscription for all.',
  once: 'Mark a callback as delivered when it is answered with a success, before anything can send it again.',
  rejected: 'Check the whole request before anything is sent or put into a queue.',
  refused:
    'An answer to a callback must not end the server, or block it: handle each failed delivery, and each rejected promise.',
  repeated: asDeclared,
}
