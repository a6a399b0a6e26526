import {
  type HttpResponse,
  header,
  isObject,
  mediaType,
  readJson,
  type Subject,
  valueAt,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

export const undeclaredFailure =
  'The server rejects the request, but not as the contract declares. Respond with the declared failure, or declare this one.'

export const readChunks =
  'A chunked body has no Content-Length. Read the body to its end, instead of as many bytes as that header says.'

/** Where to look if a response is not as it should be. */
export const responseHint = (
  subject: Extract<Subject, { kind: 'response' }>,
  { spec, expectation }: TestCase,
  { headers, body, status }: HttpResponse,
): string => {
  switch (subject.aspect) {
    case 'declared':
      return expectation === 'reject' && status >= 400
        ? undeclaredFailure
        : 'Declare this status in the document, or respond with a declared one.'
    case 'content-type':
      return mediaType(header(headers, 'content-type')) === 'text/html'
        ? 'The response is an HTML page. Check for an error page of a framework or a proxy.'
        : 'Set the Content-Type that the document declares.'
    case 'challenge':
      return 'Send WWW-Authenticate with each 401, such as Bearer realm="…", and add error="invalid_token" if the request had a token.'
    case 'echo': {
      const echoed = readJson(body)
      // Without chunks it does not fail, or they would have been left out.
      if (spec.chunked) return readChunks
      if (isObject(spec.body) && spec.body[subject.name] === undefined)
        return 'The server fills in a value that nobody sent. If it always does, declare it as `default`.'
      const isLeftOut = echoed.ok && isObject(echoed.value) && echoed.value[subject.name] === undefined
      return isLeftOut && isObject(spec.body) && spec.body[subject.name] === ''
        ? 'The server leaves out empty strings. Look for omitempty, or a check by truthiness (if (value)).'
        : 'The server returned another value than it received. Look for trimming, escaping, normalisation or a wrong character encoding.'
    }
    case 'schema':
      return subject.keyword === 'type' && isNullAt(body, subject.place)
        ? 'A property without a value is null, which the schema does not allow: leave it out (exclude_none, NON_NULL, omitempty).'
        : schemaHint
    default:
      return schemaHint
  }
}

const schemaHint = 'Compare the body with the schema that the document declares for this status.'

const isNullAt = (body: Uint8Array, place: string): boolean => {
  const reading = readJson(body)
  return reading.ok && valueAt(reading.value, place) === null
}
