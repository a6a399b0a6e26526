import type { MockRequest } from '../engine/request.ts'
import { maxHeadBytes } from './limits.ts'

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

/** For an error of Node's HTTP parser. */
export const unreadableBy = ({ code = '' }: NodeJS.ErrnoException): Unreadable => byCode[code] ?? notHttp
