import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const image = { Accept: 'image/avif,image/webp,*/*;q=0.8' }
const ask = async (url: string, headers: Readonly<Record<string, string>>) => {
  const response = await fetch(url, { headers, redirect: 'manual' })
  await response.arrayBuffer()
  return [response.status, response.headers.get('location')]
}

test('a browser that is given the address of the mock is led to the console, without a trace in the journal', async () => {
  const mock = await startMock()
  expect(await ask(`${mock.url}/`, browser)).toEqual([302, '/__plantstore/'])
  expect(await ask(`${mock.url}/favicon.ico`, image)).toEqual([404, null])
  expect(mock.journal.entries()).toEqual([])
  const followed = await fetch(`${mock.url}/`, { headers: browser })
  expect(await followed.text()).toContain('<html')
})

test('a program gets the failure of the contract, and so does any other path', async () => {
  const mock = await startMock()
  expect(await ask(`${mock.url}/`, { Accept: 'application/json' })).toEqual([404, null])
  expect(await ask(`${mock.url}/nowhere`, browser)).toEqual([404, null])
  expect(mock.journal.entries().map(({ target }) => target)).toEqual(['/', '/nowhere'])
})

test('what the document declares comes first', async () => {
  const get = { get: { responses: { 200: { description: 'ok' } } } }
  const paths = { '/': get, '/favicon.ico': get }
  const contract = await loadContract({ from: writeDocument('root.json', documentWith(paths)) })
  const mock = await startMock({ contract })
  expect(await ask(`${mock.url}/`, browser)).toEqual([200, null])
  expect(await ask(`${mock.url}/favicon.ico`, image)).toEqual([200, null])
  const below = await startMock({ documents: { '/shop': contract } })
  expect(await ask(`${below.url}/`, browser)).toEqual([302, '/__plantstore/'])
})
