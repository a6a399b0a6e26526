/** A reverse proxy of node:http that does nothing but forward: the server's URL is the argument, its own is printed. */
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const target = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

const server = createServer((incoming, response) => {
  const { method, url, headers } = incoming
  const options = { agent, method, path: url, headers, host: target.hostname, port: target.port }
  incoming.pipe(
    request(options, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
