import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { deliver } from '../../../mock/server/deliver.ts'

const pem = (name: string): string =>
  readFileSync(new URL(`../../conformance/send/tls/${name}`, import.meta.url), 'utf8')

test('a reset under TLS is a reset of its TCP connection', async () => {
  const mockResponse = { status: 200, headers: [], body: new Uint8Array() }
  const options = { fault: 'reset', isLast: false, stalledMs: 0 } as const
  const server = createServer(
    { key: pem('server.key'), cert: pem('server.pem') },
    (request, response) => void deliver(mockResponse, request, response, options),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const ended = await new Promise(resolve =>
    socket
      .on('error', resolve)
      .on('end', () => resolve('without a reset'))
      .resume(),
  )
  expect(ended).toMatchObject({ code: 'ECONNRESET' })
})
