import {
  askedType,
  differsBySlash,
  isOfBody,
  type Obligation,
  type Outcome,
  ownershipAnswers,
  redirectPath,
  type Subject,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { isConnection } from '../judge/record-outcome.ts'
import { callbackHints } from './callback-hints.ts'
import { readChunks, responseHint, undeclaredFailure } from './response-hint.ts'
import { driftHint, driftHints, stateHints } from './state-hints.ts'

/** One sentence on where to look, for the person who owns the server. The most specific reason comes first. */
export const hintFor = (obligation: Obligation, testCase: TestCase, outcome: Outcome): string => {
  const { subject, pin, id } = obligation
  const { expectation } = testCase
  if (pin?.obligation === id && !(subject.kind === 'state' && pin.answers.includes(ownershipAnswers.kept)))
    return 'The contract leaves this open, but the response is not the pinned one. If the change is meant, update the pin.'
  if (isConnection(obligation))
    return 'The server, a proxy or the network ended them. Look for crashes and restarts in the log of the server, and for limits of proxies.'
  if (subject.kind === 'callback') return callbackHints[subject.name]
  if (outcome.kind === 'failure') return failureHint(outcome)
  const { status } = outcome.response
  if (subject.kind === 'stability' && subject.name === 'drift') return driftHints[status] ?? driftHint
  if (status >= 500) return errorHint(testCase.obligation)
  if (isUndeclared(obligation) && status === 401 && testCase.cause === 'credentials')
    return 'HTTP has 401 for missing credentials, but the contract does not declare it. Declare it, respond as declared, or accept it with --unauthenticated either.'
  if (isUndeclared(obligation) && differsBySlash(testCase.request.target, outcome.response))
    return 'The server redirects to the same path with one slash more or less at its end. Write the path that way in the document, or respond here.'
  if (isUndeclared(obligation) && expectation === 'reject' && redirectPath(outcome.response) !== null)
    return 'The server leads to another page who has no right credentials. Programs cannot log in there: respond with the declared failure, or declare the redirect.'
  if (subject.kind === 'flow') return flowHint
  if (subject.kind === 'state') return stateHints[subject.name]
  if (subject.kind === 'protocol') return protocolHint(subject.name, expectation, status)
  if (subject.kind === 'response') return responseHint(subject, testCase, outcome.response)
  if (subject.kind === 'credentials' && subject.isAccepted && status >= 300)
    return acceptedHints[subject.name] ?? 'Compare the authentication scheme case-insensitively.'
  if (expectation === 'reject' && status >= 400) return undeclaredFailure
  if (status === 404)
    return 'The server does not find what the path names: see what it says. If it finds nothing at any path, check the base URL.'
  return requestHint(subject)
}

/** Whether an obligation fails by an undeclared status. */
const isUndeclared = ({ family, subject }: Obligation): boolean =>
  family === 'auth' || (subject.kind === 'response' && subject.aspect === 'declared')

const errorHint = ({ subject }: Obligation): string =>
  subject.kind === 'value' && subject.name === 'nul'
    ? 'Reject NUL in texts before they get to a database or a file system, most of which do not take it.'
    : 'The server fails on this input. Look in its log for an uncaught error.'

const flowHint =
  'See what the steps before it sent and got. If they are right, either this operation is not, or the workflow expects something else.'

const requestHint = (subject: Exclude<Subject, { kind: 'protocol' | 'response' | 'state' }>): string => {
  switch (subject.kind) {
    case 'keyword':
      return keywordHint(subject.keyword, subject.detail)
    case 'credentials':
      return (
        credentialHints[subject.name] ??
        'Check scheme and token before anything else, and compare the whole token exactly.'
      )
    case 'malformed':
      return malformedHints[subject.name] ?? 'Parse the body strictly, and reject it if the parser fails.'
    case 'part':
      return 'Compare the Content-Type of each part with what the document declares for it, and look for the headers that it has to have.'
    case 'no-body':
      return 'Reject a request without a body before reading its properties.'
    case 'combined':
      return 'Each of these values is accepted by itself: look for a limit that two of them reach together, and for a branch that only one of them takes.'
    case 'displaced':
      return byName
    case 'several-violations':
      return 'Check each property by itself, and reject the request if any of them is invalid: look for a check that the first fault skips, or that a second one undoes.'
    case 'media':
      return subject.isAccepted
        ? 'Compare media types case-insensitively and without their parameters.'
        : 'Check the Content-Type before parsing the body.'
    case 'value':
      return valueHint(subject.name, isOfBody(subject.location))
    case 'query-escapes':
      return 'Decode the percent-escapes of names and values before you use them: %66ern is fern.'
    case 'framing':
      return readChunks
    case 'extra':
      if (subject.name === 'type-of-no-body') return 'Read the Content-Type only if the request has a body.'
      if (subject.name === askedType)
        return 'Choose the media type by the header Accept, and let each cache tell responses apart by it as well: Vary: Accept.'
      return 'Ignore headers that you do not know. Look for limits of their number and size, for a CORS rule, and for a proxy.'
    case 'layout':
      return 'Use a JSON parser that supports all of RFC 8259.'
    case 'stability':
      return 'Look for state that requests share, and for limits that the server reaches over time.'
    case 'presence':
      return 'Check what the server requires: the properties that this request leaves out are optional.'
    case 'response-time':
      return 'Look at what these requests wait for: the database, locks, other services, a queue. The run sends --concurrency requests at the same time.'
    case 'valid':
      return 'Compare this request with those that the server accepts: does the server require more than the contract says?'
    default:
      return 'Compare what the server does with what the clause says.'
  }
}

const byName =
  'Read each property by exactly its name and at its own place. Look for a parser that trims names, ignores letter case, or takes off wrappers.'
const onePlace =
  'Take the credentials from their declared place alone. Look for a middleware, a session or a gateway that reads them elsewhere.'
const noTrust =
  'Check the credentials of every request. Look for a rule that exempts internal clients, health checks or debugging: any client can send this.'
const asText =
  'Compare the token as text and as a whole (crypto.timingSafeEqual, hmac.compare_digest): it must not become a part of a pattern or a query.'

/** By the kind of credentials that have to be accepted. */
const acceptedHints: Readonly<Record<string, string>> = {
  'two-spaces': 'Split scheme and token at one or more spaces.',
  undeclared:
    'Declare the credentials in the document (securitySchemes and security), or accept requests without them: clients generated from the document send none.',
}

/** By the kind of credentials. */
const credentialHints: Readonly<Record<string, string>> = {
  'query-token': onePlace,
  'other-header': onePlace,
  'cookie-token': onePlace,
  'body-token': onePlace,
  'trusted-header': noTrust,
  'trusted-parameter': noTrust,
  'method-override': noTrust,
  'pattern-token': asText,
  'injection-token': asText,
  'forged-token':
    'Verify the signature of each JWT with your own key and a fixed list of algorithms, without `none`.',
  'placeholder-token': 'Look for tokens that were left in the code or its settings for tests.',
}

const decodeStrictly =
  'Decode the bytes as UTF-8 strictly before parsing them: utf8.Valid in Go, TextDecoder with fatal: true, bytes.decode("utf-8") in Python. Many parsers replace what they cannot decode.'
const readToTheEnd =
  'A parser of streams stops after one value. Check that nothing follows: io.EOF in Go, FAIL_ON_TRAILING_TOKENS in Jackson.'

/** By the kind of malformed JSON. */
const malformedHints: Readonly<Record<string, string>> = {
  'invalid-utf8': decodeStrictly,
  utf16: decodeStrictly,
  'trailing-garbage': readToTheEnd,
  'second-value': readToTheEnd,
  'other-white-space':
    'JSON has four signs of white space: space, tab, line feed and carriage return. Do not trim the body: trim() and \\s take others as well.',
}

const valueHint = (name: string, isInBody: boolean): string => {
  if (name === 'zero' || name === 'negative-zero')
    return 'Check for a missing value by presence. Truthiness (if (value)) and `required` of some validators take 0 for absent.'
  if (name === 'empty')
    return 'Check for a missing value by presence. Truthiness (if (value)) and `required` of some validators take the empty string for absent.'
  return isInBody && /^(int|past|safe|decimal|exponent|negative|one|minus)/.test(name)
    ? 'Check how the server parses and stores numbers. The declared range is wider than some number types.'
    : 'Check what the server does with this text: validation, escaping, storage, length limits.'
}

const serverSoftware =
  'This is the HTTP server (such as node:http, gunicorn or hyper) or a proxy in front of it, not the code of the service: update or configure it, put a stricter proxy in front, or waive this.'

const protocolHint = (name: string, expectation: TestCase['expectation'], status: number): string => {
  if (name === 'absolute-form' && status === 404)
    return 'The router matches the whole request target. HTTP requires a server to accept an absolute URL in the request line (RFC 9112 3.2.2): match its path.'
  return expectation === 'reject'
    ? `Reject this request with 400 and close the connection. If two servers in a row read it differently, one request can hide in another. ${serverSoftware}`
    : serverSoftware
}

const keywordHint = (keyword: string, detail: string): string => {
  if (keyword === 'type' && detail === 'numeral')
    return 'The server converted text to a number. Check the type before converting.'
  if (keyword === 'type' && detail === 'fraction')
    return 'The server took a fraction for an integer. Check the value before rounding. JSON.parse has rounded already: read the digits (context.source of its reviver, or lossless-json).'
  if (keyword === 'type') return 'Check the type of the value, not only its presence.'
  if (keyword === 'required')
    return 'Check that a property of exactly this name is present. Some parsers ignore letter case, or fill in a default.'
  if (keyword === 'format' && detail !== '')
    return 'Check the range before converting the number. A double, and so JSON.parse, rounds integers beyond 2^53: read the digits.'
  return `Check \`${keyword}\` where the server validates the request.`
}

const failureHint = ({ failure, status, blockedMs }: Extract<Outcome, { kind: 'failure' }>): string => {
  if (blockedMs !== undefined)
    return 'One such request keeps the server from answering anybody. Limit what a request may ask for, and do long work outside of the thread that answers.'
  if (failure === 'timeout')
    return 'The server does not complete its response to this request. Look for an error that is thrown and not turned into a response.'
  return status === null
    ? 'The connection ends without a response. Look for a crash while the server handles this request.'
    : 'The response breaks off. Compare Content-Length with the number of bytes written.'
}
