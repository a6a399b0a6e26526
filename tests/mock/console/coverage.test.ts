/** Which parts of the contract requests have exercised. */
import { describe, expect, test } from 'vitest'
import type { Coverage } from '../../../mock/console/messages.ts'
import { json, postPlant, send, startMock } from '../client.ts'
import { callConsole, getJson } from './call-console.ts'

describe('coverage', () => {
  test('names the exercised obligations, and counts responses by status', async () => {
    const mock = await startMock()
    await send(mock, postPlant('{"id":9223372036854775807,"name":"Fern"}'))
    await send(mock, postPlant('{"id":1,}'))
    await send(mock, postPlant('{"id":1,"name":"Fern"}', { Authorization: 'Basic abc' }))
    await send(mock, { method: 'GET', path: '/nowhere' })
    const { operations, undeclared } = await getJson<Coverage>(mock, 'coverage')
    const { requests, statuses, exercised = [] } = operations.createPlant ?? {}
    expect({ requests, statuses, undeclared }).toEqual({
      requests: 3,
      statuses: { 200: 1, 400: 2 },
      undeclared: 1,
    })
    for (const id of [
      'createPlant/request/body/id/int64-max',
      'createPlant/request/body/json/trailing-comma',
      'createPlant/auth/wrong-scheme',
      'createPlant/response/200/body/name/required',
      'createPlant/response/400/body/error/format',
    ])
      expect(exercised).toContain(id)
    for (const id of [
      'createPlant/request/body/id/int64-min',
      'createPlant/auth/absent',
      'createPlant/request/body/name/required',
    ])
      expect(exercised).not.toContain(id)
  })

  test('counts all requests, including those that the journal has dropped', async () => {
    const mock = await startMock()
    for (let count = 0; count < 510; count++) await send(mock, postPlant('{"id":1}', json))
    const { operations } = await getJson<Coverage>(mock, 'coverage')
    expect(operations.createPlant?.statuses).toEqual({ 400: 510 })
    await callConsole(mock, 'requests', { method: 'DELETE' })
    expect(await getJson(mock, 'coverage')).toEqual({ operations: {}, undeclared: 0 })
  })
})
