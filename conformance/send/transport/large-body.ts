import type { HttpRequest } from '../../../spec/index.ts'

const largeBytes = 65_536

/** Whether a server may reject a request before it has read all of it: what is larger does not fit into a connection's buffers. */
export const isLarge = ({ body }: HttpRequest): boolean => (body?.length ?? 0) >= largeBytes

/** A body in two parts, so that a chunked one has more than one chunk. */
export function* splitInTwo(body: Uint8Array): Generator<Uint8Array> {
  const half = Math.ceil(body.length / 2)
  yield body.subarray(0, half)
  if (half < body.length) yield body.subarray(half)
}
