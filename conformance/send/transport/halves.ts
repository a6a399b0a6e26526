/** A body in two parts, so that a chunked one has more than one chunk. */
export function* splitInTwo(body: Uint8Array): Generator<Uint8Array> {
  const half = Math.ceil(body.length / 2)
  yield body.subarray(0, half)
  if (half < body.length) yield body.subarray(half)
}
