import type { IncomingMessage } from 'node:http'

/** `uri-host [ ":" port ]` (RFC 9110, 7.2); empty if there is no authority. */
const host = /^(?:\[[0-9a-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/i

/** What is wrong with the head of a request that node:http accepts; null: nothing. */
export const headProblem = ({ httpVersion, rawHeaders }: IncomingMessage): string | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request is not HTTP/1.1'
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    if (!host.test(rawHeaders[index + 1] as string)) return 'the Host header is invalid'
  }
  // RFC 9112, 3.2.
  if (hosts === 0 && httpVersion === '1.1') return 'the Host header is missing'
  return hosts > 1 ? 'there is more than one Host header' : null
}
