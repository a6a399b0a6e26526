/** A label of another request in a response: a mix-up if requests of the operation have such a property, and else a setting. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import { objectIn, shown, verifyAnswering } from './answering.ts'

const text = { type: 'string' }
const any = shown({ type: 'object' })
const operation = (operationId: string, properties: object, required: readonly string[]) => ({
  post: {
    operationId,
    requestBody: bodyOf({ type: 'object', required, properties }),
    responses: { 200: any, 400: any },
  },
})

const titlesOf = async (property: string): Promise<readonly string[]> => {
  const stored: Record<string, unknown> = {}
  const { findings } = await verifyAnswering(
    {
      paths: {
        '/engine': operation('setEngine', { engine: text, on: { type: 'boolean' } }, ['engine', 'on']),
        '/import': operation('importAll', { [property]: text, config: { type: 'object' } }, ['config']),
      },
    },
    ({ url, method, body }) => {
      if (method !== 'POST') return { status: 405 }
      const sent = objectIn(body)
      if (sent === null) return { status: 400, body: {} }
      if (url.pathname === '/engine' && typeof sent.engine === 'string') stored.engine = sent.engine
      return { status: 200, body: url.pathname === '/engine' ? {} : { ...stored, ...sent } }
    },
  )
  return findings.map(({ title }) => title).filter(title => title.includes('another request'))
}

test('what another operation stored is no mix-up', async () => {
  expect(await titlesOf('note')).toEqual([])
})

test('what requests of the operation have as well is one', async () => {
  expect(await titlesOf('engine')).toEqual(['answered with the `engine` of another request'])
})
