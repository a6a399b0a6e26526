import { expect, test } from 'vitest'
import { BreakError } from '../../mock/index.ts'
import { ask, jsonOf, postPlant, startMock } from './ask.ts'

const plant = '{"id":1,"name":"Fern"}'

test('a mock that is to break what nobody promised says so in one line, with what may have been meant', async () => {
  const opening = startMock({ breaks: 'createPlant/auth/absnt' })
  await expect(opening).rejects.toThrow(BreakError)
  await expect(opening).rejects.toThrow(
    /^there is no obligation createPlant\/auth\/absnt: did you mean createPlant\/auth\/absent.*\? plantstore obligations lists them$/,
  )
})

test('a mock that breaks a refusal takes that one wrong request, and no other', async () => {
  const mock = await startMock({ breaks: 'createPlant/request/body/name/required' })
  const answers = await Promise.all([
    ask(mock, postPlant('{"id":1}')),
    ask(mock, postPlant('{"name":"Fern"}')),
    ask(mock, postPlant(plant)),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
})

test('a mock that breaks an acceptance refuses what is valid', async () => {
  const mock = await startMock({ breaks: 'createPlant/request/body/presence/with-tag' })
  const tagged = await ask(mock, postPlant('{"id":1,"name":"Fern","tag":"green"}'))
  expect([tagged.status, (await ask(mock, postPlant(plant))).status]).toEqual([400, 200])
})

test('a mock that breaks an answer gives one that is wrong in that alone', async () => {
  const mock = await startMock({ breaks: 'createPlant/response/200/echo/name' })
  const answer = await ask(mock, postPlant(plant))
  expect(answer.status).toBe(200)
  expect(jsonOf(answer)).not.toEqual({ name: 'Fern' })
  expect(Object.keys(jsonOf(answer) as object)).toEqual(['name'])
})
