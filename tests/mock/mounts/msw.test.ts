import { http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import type { MockResponse } from '../../../mock/engine/compiled-response.ts'
import { createWatch, ServerError } from '../../../mock/index.ts'
import { respondWith } from '../../../mock/mounts/fetch-handler.ts'
import { createHandlers } from '../../../mock/mounts/msw.ts'
import { contracts } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'

test('handlers respond below the servers of the contract', async () => {
  const handlers = await createHandlers({ contract: contracts.library })
  const network = setupServer(...handlers)
  network.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => network.close())
  const watch = createWatch(handlers)
  expect((await fetch('https://library.example.test/v2/nowhere')).status).toBe(404)
  expect((await fetch('https://library.example.test/v2?a')).status).toBe(404)
  expect(watch.broken().map(({ name }) => name)).toEqual(['GET /nowhere', 'GET /'])
})

test('requests below another path or to another origin go where they went before', async () => {
  const real = await startMock({ contract: contracts.plantStore })
  const handlers = await createHandlers({ contract: contracts.library, server: `${real.url}/v2/` })
  const network = setupServer(...handlers)
  network.listen({ onUnhandledFrame: 'bypass' })
  onTestFinished(() => network.close())
  const { port } = new URL(real.url)
  for (const url of [
    `${real.url}/v2/books`,
    `${real.url}/v2x/books`,
    `http://localhost:${port}/v2/books`,
    `${real.url}/`,
  ])
    await (await fetch(url)).bytes()
  expect(handlers.journal.entries().map(({ target }) => target)).toEqual(['/books'])
  expect(real.journal.entries().map(({ target }) => target)).toEqual(['/v2x/books', '/v2/books', '/'])
})

async function* letters(): AsyncGenerator<Uint8Array> {
  for (const letter of 'abc') yield new TextEncoder().encode(letter)
}

test.each([
  [null, {}, 'whole'],
  [null, { stream: letters() }, 'wholeabc'],
  ['reset', {}, 'TypeError, without a response'],
  ['truncate', {}, 'TypeError, after 200'],
  ['hang', {}, 'TimeoutError, without a response'],
] as const)('a response with the fault %s and %j ends as %s', async (fault, ending, seen) => {
  const response: MockResponse = {
    status: 200,
    headers: [],
    body: new TextEncoder().encode('whole'),
    ...ending,
  }
  const respond = respondWith(context => {
    context.fault = fault
    return response
  }, 10)
  const network = setupServer(http.all('*', ({ request }) => respond(request, '')))
  network.listen()
  onTestFinished(() => network.close())
  const signal = AbortSignal.timeout(fault === 'hang' ? 500 : 20_000)
  const outcome = await fetch('https://store.example.test/', { signal }).then(
    response => response.text().catch((error: Error) => `${error.name}, after ${response.status}`),
    (error: Error) => `${error.name}, without a response`,
  )
  expect(outcome).toBe(seen)
})

test('without an origin, the error says which option to set', async () => {
  await expect(createHandlers({ contract: contracts.plantStore })).rejects.toThrow(
    new ServerError(
      'Plant Store is served below /, but on which origin? Give the option server an absolute URL',
    ),
  )
})
