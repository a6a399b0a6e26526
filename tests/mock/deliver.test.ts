import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { deliver } from '../../mock/deliver.ts'

const pem = (name: string): string =>
  readFileSync(new URL(`../conformance/tls/${name}`, import.meta.url), 'utf8')

test('a reset is one below TLS as well', async () => {
  const answer = { status: 200, headers: [], body: new Uint8Array(), fate: 'reset' } as const
  const server = createServer(
    { key: pem('server.key'), cert: pem('server.pem') },
    (request, response) => void deliver(answer, request, response, false, 0),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const ended = await new Promise(resolve =>
    socket
      .on('error', resolve)
      .on('end', () => resolve('in peace'))
      .resume(),
  )
  expect(ended).toMatchObject({ code: 'ECONNRESET' })
})
