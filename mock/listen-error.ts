/** The address cannot be listened on, or not with this certificate; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
