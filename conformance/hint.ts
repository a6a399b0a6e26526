import { header, isOfBody, mediaType, type Obligation, type Outcome } from '../spec/index.ts'
import type { Case } from './case.ts'

/** One sentence on where to look, for the person who owns the server. */
export const hintFor = (
  { subject, family, pin, id }: Obligation,
  { draft, expected }: Case,
  outcome: Outcome,
): string => {
  if (pin?.obligation === id)
    return 'the contract leaves this open, and the answer is another one than was pinned: where that is meant, change it in the pins'
  const status = outcome.kind === 'answer' ? outcome.answer.status : 0
  if (outcome.kind === 'failure' && outcome.failure === 'timeout')
    return 'the server does not answer this request: look for an error that is thrown and never answered'
  if (outcome.kind === 'failure')
    return 'the connection ends without an answer: look for a crash while this request is handled'
  if (status >= 500) return 'the server fails on this input: look at its log for an error that is not caught'
  if (family === 'bearer' && status === 401)
    return '401 is HTTP’s own answer to missing credentials, but the contract does not declare it: declare it, answer as declared, or accept it with --unauthenticated either'
  if (expected === 'refused' && status >= 400)
    return 'the request is refused, but not as the contract declares: answer with the declared failure, or declare this one'
  if (status === 404) return 'the path is not found: is the base URL right?'
  switch (subject.kind) {
    case 'keyword':
      return keywordHint(subject.keyword, subject.detail)
    case 'credentials':
      return subject.accepted
        ? 'compare the scheme without regard to letter case'
        : 'check scheme and token, whole and exactly, before anything else is done'
    case 'malformed':
      return 'parse the body strictly, and refuse what the parser does not take'
    case 'no-body':
      return 'refuse a request whose body is missing before reading its properties'
    case 'media':
      return subject.accepted
        ? 'compare media types without regard to letter case and parameters'
        : 'look at the Content-Type before parsing the body'
    case 'value':
      return isOfBody(subject.where) && /^(int|past|safe|decimal|exponent|negative|zero)/.test(subject.name)
        ? 'check how numbers are parsed and stored: the declared range is wider than some types'
        : 'check what is done with this text: validation, escaping, storage and its limits'
    case 'layout':
      return 'use a JSON parser that takes all of RFC 8259'
    case 'load':
      return 'look for state that is shared between requests, and for limits that are reached over time'
    case 'wire':
      return expected === 'refused'
        ? 'what is taken differently by two servers in a row lets one request hide in another: refuse it with 400, and close the connection'
        : 'look at the HTTP server itself, or at the proxy before it: this is not about the contract'
    case 'answer':
      return answerHint(subject.aspect, outcome)
    case 'valid':
    case 'presence':
      return draft.credentials === null && status >= 400 && status < 500
        ? 'is the token right (--token), and does the server ask for more than its contract says?'
        : 'look at what this request has that others have not'
    default:
      return 'compare what the server does here with what the clause says'
  }
}

const keywordHint = (keyword: string, detail: string): string => {
  if (keyword === 'type' && detail === 'numeral')
    return 'a text was taken for a number: check the type before converting'
  if (keyword === 'type' && detail === 'fraction')
    return 'a fraction was taken for an integer: check before rounding'
  if (keyword === 'type')
    return `${detail} was let through: check the type of the value, not only that there is one`
  if (keyword === 'required') return 'check that the property is there, not only what it holds'
  if (keyword === 'format' && detail !== '')
    return 'check the range before the number is converted: a double rounds what lies past 2^53'
  return `check \`${keyword}\` where the body is validated`
}

const answerHint = (aspect: string, outcome: Outcome): string => {
  const type = outcome.kind === 'answer' ? mediaType(header(outcome.answer.headers, 'content-type')) : null
  switch (aspect) {
    case 'declared':
      return 'declare this status in the document, or answer with a declared one'
    case 'content-type':
      return type === 'text/html'
        ? 'an HTML page came: is this an error page of a framework or a proxy?'
        : 'set the Content-Type that the document declares'
    case 'challenge':
      return 'send WWW-Authenticate with each 401, such as Bearer realm="…"; with error="invalid_token" where a token was given'
    case 'echo':
      return 'the value came back changed: look for trimming, escaping, normalising or a wrong character encoding'
    case 'length':
      return 'the answer broke off: compare Content-Length with the bytes that are written'
    default:
      return 'compare the body with the schema of this status'
  }
}
