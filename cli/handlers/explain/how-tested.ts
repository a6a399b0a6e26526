import type { Obligation, Subject } from '../../../spec/index.ts'

/** In words, what is sent for an obligation and what its answer is held to. */
export const howTested = ({ subject, level }: Obligation): string =>
  `${asked(subject)} ${level === 'OBSERVE' ? 'What is answered is recorded and never judged.' : held(subject)}`

const asked = (subject: Subject): string => {
  switch (subject.kind) {
    case 'valid':
      return 'Valid requests: the telling ones first, then random ones drawn from the schemas.'
    case 'presence':
      return `A valid body with ${subject.present.length === 0 ? 'none of its optional properties' : `these of its optional properties alone: ${subject.present.join(', ')}`}.`
    case 'value':
      return `A valid request with ${subject.texts.length === 1 ? 'this value' : `one of ${subject.texts.length} values`} at this place; all else is plain.`
    case 'layout':
    case 'framing':
    case 'size':
      return 'A valid body, written in another way that means the same.'
    case 'media':
      return subject.isAccepted
        ? 'A valid body under another spelling of the declared Content-Type.'
        : 'A valid body under a Content-Type that is not the declared one.'
    case 'keyword':
      return `A valid request but for one value that breaks \`${subject.keyword}\` at this place, and nothing else; from the bytes that are sent, a judge makes sure of it.`
    case 'branch':
      return `A valid request with a value of this branch of \`${subject.keyword}\`.`
    case 'malformed':
      return 'The bytes of a valid body, damaged in this way so that they are not JSON.'
    case 'no-body':
      return 'A request that is valid but for its body.'
    case 'missing-parameter':
      return 'A request that is valid but for a parameter that it does not have.'
    case 'credentials':
      return subject.isAccepted
        ? 'A valid request whose right credentials are written in another lawful way.'
        : 'A valid request but for its credentials.'
    case 'response':
      return 'No requests of its own: every answer of the run that it speaks of is judged.'
    case 'stability':
      return 'Valid and invalid requests, many at a time and one after another on one connection.'
    case 'unspecified':
      return 'Requests that the contract says nothing of.'
    case 'protocol':
      return 'Bytes that no HTTP client sends, on a connection of their own.'
    default:
      return subject satisfies never
  }
}

const held = (subject: Subject): string => {
  switch (subject.kind) {
    case 'response':
      return 'One answer that is otherwise breaks it.'
    case 'stability':
      return 'Each answer has to be the one that its own request would get alone.'
    case 'protocol':
      return 'The answer has to be one that HTTP allows.'
    case 'keyword':
    case 'malformed':
    case 'no-body':
    case 'missing-parameter':
      return 'The answer has to be a declared failure.'
    case 'media':
    case 'credentials':
      return subject.isAccepted
        ? 'The answer has to be a declared success.'
        : 'The answer has to be a declared failure.'
    default:
      return 'The answer has to be a declared success.'
  }
}
