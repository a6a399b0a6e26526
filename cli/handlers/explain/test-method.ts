import type { Obligation, Subject } from '../../../spec/index.ts'

/** Describes what is sent for an obligation, and how the response is judged. */
export const testMethod = ({ subject, level }: Obligation): string =>
  `${requestText(subject)} ${level === 'OBSERVE' ? 'The response is recorded and never judged.' : judgementText(subject)}`

const requestText = (subject: Subject): string => {
  switch (subject.kind) {
    case 'valid':
      return 'Valid requests: boundary cases first, then random ones drawn from the schemas.'
    case 'presence':
      return `A valid body with ${subject.present.length === 0 ? 'none of its optional properties' : `only these of its optional properties: ${subject.present.join(', ')}`}.`
    case 'value':
      return `A valid request with ${subject.texts.length === 1 ? 'this value' : `one of ${subject.texts.length} values`} at this place; everything else is simple.`
    case 'combined':
      return 'Valid requests that combine an extreme text with every other condition: values of other properties, layout of the JSON, framing, connection.'
    case 'layout':
    case 'framing':
    case 'size':
      return 'A valid body in another encoding with the same meaning.'
    case 'query-escapes':
      return 'A valid request whose query has percent-escapes for letters and digits, which mean the same.'
    case 'extra':
      return 'A valid request with headers that clients and proxies add.'
    case 'media':
      return subject.isAccepted
        ? 'A valid body with another spelling of the declared Content-Type.'
        : 'A valid body with a Content-Type that is not declared.'
    case 'keyword':
      return `A request that is valid except for one value that violates \`${subject.keyword}\` at this place; a judge confirms this from the bytes before they are sent.`
    case 'branch':
      return `A valid request with a value of this branch of \`${subject.keyword}\`.`
    case 'malformed':
      return 'The bytes of a valid body, damaged so that it cannot be read in its format.'
    case 'part':
      return 'A request that is valid except for the media type or a header of one part of its body.'
    case 'no-body':
      return 'A request that is valid except that it has no body.'
    case 'several-violations':
      return 'A request whose body has two invalid properties: both have a wrong type, or one has and the other is missing.'
    case 'displaced':
      return 'A request whose body has its properties under other names, or inside another value.'
    case 'missing-parameter':
      return 'A request that is valid except for one missing parameter.'
    case 'credentials':
      return subject.isAccepted
        ? 'A valid request with the right credentials in another permitted form.'
        : 'A request that is valid except for its credentials.'
    case 'response':
      return 'No requests of its own: every response of the run that it applies to is judged.'
    case 'response-time':
      return 'No requests of its own: the conforming responses to all valid requests of the run are measured.'
    case 'stability':
      return 'Valid and invalid requests, many in parallel and many in sequence on one connection.'
    case 'state':
      if (subject.name.startsWith('other-'))
        return 'A chain of requests: one user creates a resource, another one that is accepted tries to get at it, and the first reads it again.'
      if (subject.name.startsWith('key-'))
        return 'A chain of requests: it creates a resource with a key of its own, uses the key again, and compares what is listed before and after.'
      if (subject.name.startsWith('if-'))
        return 'A chain of requests: it creates a resource, reads its ETag, sends a request with a condition, and reads the resource again.'
      return 'A chain of requests: it creates resources, does with them what the requirement is about, and reads them again.'
    case 'flow':
      return 'The requests of the workflow, up to this step.'
    case 'callback':
      return 'A request with a URL of the listener (verify --listen), and what comes to that URL.'
    case 'unspecified':
      return 'Requests that the contract does not specify.'
    case 'protocol':
      return 'Bytes that no HTTP client sends, each time on a new connection.'
    default:
      return subject satisfies never
  }
}

const judgementText = (subject: Subject): string => {
  switch (subject.kind) {
    case 'response':
      return 'It fails at the first response that differs.'
    case 'stability':
      return 'Each response must be the one that its request gets alone.'
    case 'state':
      if (subject.name.startsWith('other-'))
        return 'The other user must be kept out, with 401, 403 or 404, or by a list without the resource, and nothing may change.'
      if (subject.name.startsWith('key-'))
        return 'No second resource may be created, and the second answer must be the one that the requirement names.'
      if (subject.name.startsWith('if-'))
        return 'The request must be done if its condition holds; otherwise it must be refused, and have no effect.'
      return 'The last request must read what was stored, or find nothing if it was removed.'
    case 'protocol':
      return 'The response must be one that HTTP permits.'
    case 'callback':
      return 'What the server sends must be as the requirement says.'
    case 'keyword':
    case 'malformed':
    case 'part':
    case 'no-body':
    case 'displaced':
    case 'several-violations':
    case 'missing-parameter':
      return 'The response must be a declared failure.'
    case 'media':
    case 'credentials':
      return subject.isAccepted
        ? 'The response must be a declared success.'
        : 'The response must be a declared failure.'
    default:
      return 'The response must be a declared success.'
  }
}
