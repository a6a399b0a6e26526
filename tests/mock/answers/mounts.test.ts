import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler } from '../../../mock/index.ts'
import { createHandlers } from '../../../mock/mounts/msw.ts'
import { shopDocument } from './shop.ts'

const url = 'https://shop.example.test/products/7'
const fern = { id: 1, name: 'Fern', price: 3 }

test('the Fetch handler answers', async () => {
  const handler = await createHandler({ contract: shopDocument() })
  onTestFinished(handler.close)
  const answer = await handler.answer('getProduct', fern, { times: 1 })
  expect(await (await handler(new Request(url))).json()).toEqual(fern)
  expect(await (await handler(new Request(url))).json()).not.toEqual(fern)
  expect(answer.requests.map(({ path }) => path)).toEqual([{ id: 7 }])
})

test('Mock Service Worker answers, until that is undone', async () => {
  const handlers = await createHandlers({ contract: shopDocument(), server: new URL('/', url).href })
  const network = setupServer(...handlers)
  network.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => network.close())
  const answer = await handlers.answer('getProduct', fern)
  expect(await (await fetch(url)).json()).toEqual(fern)
  answer.undo()
  expect(await (await fetch(url)).json()).not.toEqual(fern)
})
