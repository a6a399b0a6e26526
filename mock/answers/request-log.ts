import type { AnswerRequest } from './request.ts'

/** The last requests of an answer. */
export type RequestLog = {
  readonly requests: readonly AnswerRequest[]
  /** `size`: of the body, in bytes. */
  readonly add: (request: AnswerRequest, size: number) => void
}

const maxRequests = 500
/** Of all bodies together; the last request is kept however large it is. */
const maxBytes = 8 * 1024 * 1024

export const createRequestLog = (): RequestLog => {
  const requests: AnswerRequest[] = []
  const sizes: number[] = []
  let bytes = 0
  return {
    requests,
    add: (request, size) => {
      requests.push(request)
      sizes.push(size)
      bytes += size
      while (requests.length > maxRequests || (bytes > maxBytes && requests.length > 1)) {
        requests.shift()
        bytes -= sizes.shift() ?? 0
      }
    },
  }
}
