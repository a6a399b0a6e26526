import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MutantError } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { jsonOf, postPlant, send, startMock } from '../client.ts'

const plant = '{"id":1,"name":"Fern"}'

test('an unknown obligation is reported in one line, with suggestions', async () => {
  const opening = startMock({ breaks: 'createPlant/auth/absnt' })
  await expect(opening).rejects.toThrow(MutantError)
  await expect(opening).rejects.toThrow(
    /^the contract has no obligation createPlant\/auth\/absnt: did you mean createPlant\/auth\/absent\? plantstore obligations lists them$/,
  )
})

test('a mutant of a rejection accepts that one invalid request, and no other', async () => {
  const mock = await startMock({ breaks: 'createPlant/request/body/name/required' })
  const responses = await Promise.all([
    send(mock, postPlant('{"id":1}')),
    send(mock, postPlant('{"name":"Fern"}')),
    send(mock, postPlant(plant)),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 200])
})

test('a mutant of an acceptance rejects valid requests', async () => {
  const mock = await startMock({ breaks: 'createPlant/request/body/presence/with-tag' })
  const tagged = await send(mock, postPlant('{"id":1,"name":"Fern","tag":"green"}'))
  expect([tagged.status, (await send(mock, postPlant(plant))).status]).toEqual([400, 200])
})

test('what a mock keeps can be broken if it keeps anything', async () => {
  const from = fileURLToPath(new URL('../../state/plants.openapi.yaml', import.meta.url))
  const contract = await loadContract({ from })
  const breaks = 'deletePlant/state/gone'
  await expect(startMock({ contract, breaks })).rejects.toThrow('the mock keeps nothing without --stateful')
  await startMock({ contract, breaks, stateful: true })
})

test('a mutant of a response breaks one rule of it', async () => {
  const mock = await startMock({ breaks: 'createPlant/response/200/echo/name' })
  const response = await send(mock, postPlant(plant))
  expect(response.status).toBe(200)
  expect(jsonOf(response)).not.toEqual({ name: 'Fern' })
  expect(Object.keys(jsonOf(response) as object)).toEqual(['name'])
})

test('a mutant of duplicate names reads bodies that are no JSON, such as compressed ones', async () => {
  const mock = await startMock({ breaks: 'createPlant/unspecified/duplicate-names' })
  const compressed = Array.from({ length: 100 }, (_, id) => gzipSync(`{"id":${id},"name":"Fern ${id}"}`))
  // With one quotation mark it looks as if it had a string without an end.
  const body = compressed.find(bytes => bytes.toString('latin1').split('"').length === 2) ?? ''
  expect(body.length).toBeGreaterThan(0)
  const { headers, ...request } = postPlant(plant)
  const response = await send(mock, { ...request, headers: { ...headers, 'Content-Encoding': 'gzip' }, body })
  expect(response.status).toBe(200)
  const twice = await send(mock, postPlant('{"id":1,"name":"Fern","name":"Moss"}'))
  expect(twice.status).toBe(400)
})
