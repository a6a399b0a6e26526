/** A server gives the name of what was removed to the next one, as databases do, and removes what is in a thing with it. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { usualAnswers as answers } from '../conformance/judge/answering.ts'
import { startJsonServer } from '../json-server.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const title = { type: 'string', minLength: 1, maxLength: 20 }
const named = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
})
const requestBody = bodyOf({ type: 'object', required: ['title'], properties: { title } })
// What acts by itself is removed at once, if it is a small part of a service.
const pages = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `/pages/${at}`,
    { get: { operationId: `page${at}`, responses: answers } },
  ]),
)
const document = documentWith({
  ...pages,
  '/webhooks': { post: { operationId: 'addHook', requestBody, responses: answers } },
  '/webhooks/{hook}': {
    parameters: [named('hook')],
    get: { operationId: 'getHook', responses: answers },
    put: { operationId: 'putHook', requestBody, responses: answers },
    delete: { operationId: 'removeHook', responses: answers },
  },
  '/webhooks/{hook}/calls': {
    parameters: [named('hook')],
    post: { operationId: 'addCall', requestBody, responses: answers },
  },
  '/webhooks/{hook}/calls/{call}': {
    parameters: [named('hook'), named('call')],
    get: { operationId: 'getCall', responses: answers },
    put: { operationId: 'putCall', requestBody, responses: answers },
    delete: { operationId: 'removeCall', responses: answers },
  },
})

type Thing = { readonly title: string; readonly calls: Map<number, Thing> }

const startWebhooks = () => {
  const webhooks = new Map<number, Thing>()
  let moment = 0
  return startJsonServer(async ({ method, path, sent, answer }) => {
    // Now and then one is late, so that what others do comes in between.
    await delay(++moment % 3 === 0 ? 25 : 0)
    const [kind, hook, below, call, more] = path
    if (kind !== 'webhooks' || (below !== undefined && below !== 'calls') || more !== undefined)
      return answer(404, {})
    const keys = [hook, call].filter(key => key !== undefined)
    if (!keys.every(key => /^[1-9]\d{0,6}$/.test(key) && Number(key) <= 1_000_000)) return answer(400, {})
    const all = below === undefined ? webhooks : webhooks.get(Number(hook))?.calls
    const key = below === undefined ? hook : call
    const isTitled = typeof sent?.title === 'string' && sent.title !== '' && [...sent.title].length <= 20
    if ((method === 'POST' || method === 'PUT') && !isTitled) return answer(400, {})
    if (all === undefined) return answer(404, {})
    const thing = { title: String(sent?.title), calls: new Map() }
    if (key === undefined) {
      let free = 1
      while (all.has(free)) free += 1
      all.set(free, thing)
      return answer(201, { id: free, title: thing.title })
    }
    const found = all.get(Number(key))
    if (found === undefined) return answer(404, {})
    if (method === 'DELETE') {
      all.delete(Number(key))
      return answer(204)
    }
    if (method === 'PUT') all.set(Number(key), { ...found, title: thing.title })
    answer(200, { id: Number(key), title: all.get(Number(key))?.title })
  })
}

test('nobody finds gone what the run removed early', { timeout: 120_000 }, async () => {
  const contract = await loadContract({ from: writeDocument('webhooks.json', document) })
  const { findings } = await verify({
    ...{ contract, target: await startWebhooks(), seed: 2, cases: 1500, sustained: 0 },
    only: ['*Hook/*', '*Call/*'],
  })
  const told = findings.map(({ obligation, actual }) => `${obligation}: ${actual}`)
  expect(told.filter(text => text.includes('404'))).toEqual([])
})
