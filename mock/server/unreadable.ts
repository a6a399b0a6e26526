import type { MockRequest } from '../engine/request.ts'
import { maxHeadBytes } from './limits.ts'
import { http } from './node-http.ts'

/** Why bytes are not a request that the mock can respond to by the contract, and the status of the response to them. */
export type Unreadable = NonNullable<MockRequest['unreadable']>

export const notHttp: Unreadable = { status: 400, message: 'the request is not HTTP/1.1' }
export const unsupportedExpectation: Unreadable = { status: 417, message: 'unsupported Expect header' }
export const connectMethod: Unreadable = { status: 405, message: 'CONNECT is not declared here' }

const byCode: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `request line and header fields are larger than ${maxHeadBytes} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not sent in time' },
}

/** What is wrong with the framing, by the reason that Node's parser gives. */
const byReason: Readonly<Record<string, string>> = {
  "Transfer-Encoding can't be present with Content-Length":
    'Transfer-Encoding and Content-Length cannot stand together',
  "Content-Length can't be present with Transfer-Encoding":
    'Transfer-Encoding and Content-Length cannot stand together',
  'Duplicate Content-Length': 'there is more than one Content-Length header',
  'Invalid character in Content-Length': 'the Content-Length header is not a number',
  'Request has invalid `Transfer-Encoding`': 'the Transfer-Encoding header does not end with chunked',
}

const requestLine = /^([!#$%&'*+.^`|~\w-]{1,40}) \S+ HTTP\/1\.[01]\r?\n/

type ParserError = NodeJS.ErrnoException & { readonly reason?: string; readonly rawPacket?: Uint8Array }

/** For an error of Node's HTTP parser. */
export const unreadableBy = ({ code = '', reason = '', rawPacket }: ParserError): Unreadable => {
  const message = byReason[reason] ?? (code === 'HPE_INVALID_METHOD' ? unknownMethod(rawPacket) : undefined)
  return message === undefined ? (byCode[code] ?? notHttp) : { status: 400, message }
}

/** HTTP allows any method, and Node's parser knows thirty. */
const unknownMethod = (bytes: Uint8Array | undefined): string | undefined => {
  const [, method] = requestLine.exec(Buffer.from(bytes ?? []).toString('latin1', 0, 1000)) ?? []
  // The packet may begin with a request that could be read.
  return method === undefined || http.METHODS.includes(method)
    ? undefined
    : `${method} is not a method that this server can read`
}
