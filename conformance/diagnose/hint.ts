import {
  type HttpResponse,
  header,
  isOfBody,
  mediaType,
  type Obligation,
  type Outcome,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

/** One sentence on where to look, for the person who owns the server. */
export const hintFor = (obligation: Obligation, testCase: TestCase, outcome: Outcome): string => {
  const { subject, family, pin, id } = obligation
  const { spec, expectation } = testCase
  if (pin?.obligation === id)
    return 'The contract leaves this open, but the response is not the pinned one. If the change is meant, update the pin.'
  if (outcome.kind === 'failure') return failureHint(outcome)
  const { status } = outcome.response
  if (status >= 500) return 'The server fails on this input. Look in its log for an uncaught error.'
  if (family === 'auth' && status === 401)
    return 'HTTP has 401 for missing credentials, but the contract does not declare it. Declare it, respond as declared, or accept it with --unauthenticated either.'
  if (expectation === 'reject' && status >= 400)
    return 'The server rejects the request, but not as the contract declares. Respond with the declared failure, or declare this one.'
  if (status === 404) return 'The server does not find the path. Check the base URL.'
  switch (subject.kind) {
    case 'keyword':
      return keywordHint(subject.keyword, subject.detail)
    case 'credentials':
      return subject.isAccepted
        ? 'Compare the authentication scheme case-insensitively.'
        : 'Check scheme and token before anything else, and compare the whole token exactly.'
    case 'malformed':
      return 'Parse the body strictly, and reject it if the parser fails.'
    case 'no-body':
      return 'Reject a request without a body before reading its properties.'
    case 'media':
      return subject.isAccepted
        ? 'Compare media types case-insensitively and without their parameters.'
        : 'Check the Content-Type before parsing the body.'
    case 'value':
      return isOfBody(subject.location) &&
        /^(int|past|safe|decimal|exponent|negative|zero)/.test(subject.name)
        ? 'Check how the server parses and stores numbers. The declared range is wider than that of some types.'
        : 'Check what the server does with this text: validation, escaping, storage, length limits.'
    case 'layout':
      return 'Use a JSON parser that supports all of RFC 8259.'
    case 'stability':
      return 'Look for state that requests share, and for limits that the server reaches over time.'
    case 'protocol':
      return expectation === 'reject'
        ? 'Reject this request with 400 and close the connection. If two servers in a row read it differently, one request can hide in another.'
        : 'Check the HTTP server itself, or the proxy in front of it. This is not about the contract.'
    case 'response':
      return responseHint(subject.aspect, outcome.response)
    case 'valid':
    case 'presence':
      return spec.credentials === null && status >= 400 && status < 500
        ? 'Check the token (--token), and whether the server requires more than the contract says.'
        : 'Compare this request with those that the server accepts.'
    default:
      return 'Compare what the server does with what the clause says.'
  }
}

const keywordHint = (keyword: string, detail: string): string => {
  if (keyword === 'type' && detail === 'numeral')
    return 'The server converted text to a number. Check the type before converting.'
  if (keyword === 'type' && detail === 'fraction')
    return 'The server took a fraction for an integer. Check the value before rounding.'
  if (keyword === 'type') return 'Check the type of the value, not only its presence.'
  if (keyword === 'required') return 'Check that the property is present, not only what it holds.'
  if (keyword === 'format' && detail !== '')
    return 'Check the range before converting the number. A double rounds integers beyond 2^53.'
  return `Check \`${keyword}\` where the server validates the request.`
}

const failureHint = ({ failure, status }: Extract<Outcome, { kind: 'failure' }>): string => {
  if (failure === 'timeout')
    return 'The server does not complete its response to this request. Look for an error that is thrown and not turned into a response.'
  return status === null
    ? 'The connection ends without a response. Look for a crash while the server handles this request.'
    : 'The response breaks off. Compare Content-Length with the number of bytes written.'
}

const responseHint = (aspect: string, { headers }: HttpResponse): string => {
  switch (aspect) {
    case 'declared':
      return 'Declare this status in the document, or respond with a declared one.'
    case 'content-type':
      return mediaType(header(headers, 'content-type')) === 'text/html'
        ? 'The response is an HTML page. Check for an error page of a framework or a proxy.'
        : 'Set the Content-Type that the document declares.'
    case 'challenge':
      return 'Send WWW-Authenticate with each 401, such as Bearer realm="…", and add error="invalid_token" if the request had a token.'
    case 'echo':
      return 'The server returned another value than it received. Look for trimming, escaping, normalisation or a wrong character encoding.'
    default:
      return 'Compare the body with the schema that the document declares for this status.'
  }
}
