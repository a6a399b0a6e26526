/** Sends one valid request over and over on many connections, and prints the result as JSON. */
import autocannon from 'autocannon'

const [url = '', seconds = '1', connections = '32', target = '/plants', method = 'POST'] =
  process.argv.slice(2)
const { requests, non2xx, errors, timeouts, latency } = await autocannon({
  url: url + target,
  method: method as 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer bench-token' },
  ...(method === 'POST' ? { body: '{"id":4711,"name":"Monstera deliciosa","tag":"indoor"}' } : {}),
  connections: Number(connections),
  duration: Number(seconds),
})
process.stdout.write(
  JSON.stringify({ perSecond: requests.average, failed: non2xx + errors + timeouts, p99: latency.p99 }),
)
