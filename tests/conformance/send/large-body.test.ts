/** A server may reject a large body before it has read it, and close the connection: RFC 9110 15.5.14, RFC 9112 9.6. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const large = 65_536

/** A store that sends its response to a large rejected body in this way. */
const findingsOf = async (send: Parts['send']) => {
  const store = storeWith({
    send: (...[answer, response, exchange]: Parameters<Parts['send']>) =>
      exchange.bytes.length >= large && answer.status === 400
        ? send(answer, response, exchange)
        : lawfulParts.send(answer, response, exchange),
  })
  const { findings } = await during(store, ({ url, token }) =>
    verify({ target: url, token, seed: 3, cases: 1000, sustained: 0 }),
  )
  return findings.map(({ title }) => title)
}

test('a response that is lost now and then is asked for again', async () => {
  const lost = new Map<string, number>()
  const titles = await findingsOf((answer, response, exchange) => {
    const key = `${exchange.request.headers.authorization} ${exchange.request.url}`
    const times = (lost.get(key) ?? 0) + 1
    lost.set(key, times)
    if (times % 3 === 0) lawfulParts.send(answer, response, exchange)
    else exchange.request.socket.destroy()
  })
  expect(titles).toEqual([])
  expect(lost.size).toBeGreaterThan(4)
})

test('a server that never answers is reported', async () => {
  const titles = await findingsOf((_answer, _response, exchange) => {
    exchange.request.socket.destroy()
  })
  expect(titles).toContainEqual(expect.stringMatching(/^closed the connection on /))
})
