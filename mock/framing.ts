import type { IncomingMessage } from 'node:http'

/** `uri-host [ ":" port ]` (RFC 9110 7.2); empty where there is no authority. */
const host = /^(?:\[[0-9a-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/i

/** What is wrong with the head of a request that node:http lets through all the same; null where nothing is. */
export const framingProblem = ({ httpVersion, rawHeaders }: IncomingMessage): string | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request is not HTTP/1.1'
  const hosts = rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  // RFC 9112 3.2; without any, node refuses HTTP/1.1 by itself.
  if (hosts.length > 1) return 'there is more than one Host'
  return hosts.every(value => host.test(value)) ? null : 'Host is not a host'
}
