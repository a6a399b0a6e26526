/** Transfer-Encoding: chunked, written by hand (RFC 9112 7.1). */
export const chunked = ['Transfer-Encoding: chunked']
export const chunk = (body: string, size = body.length.toString(16), after = '\r\n'): string =>
  `${size}\r\n${body}${after}`
export const last = '0\r\n\r\n'
