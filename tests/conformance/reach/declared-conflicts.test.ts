/** An action that what is stored does not allow, as the document says: whatever is created can be activated only if it is not active. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { type Asked, startJsonServer } from '../../json-server.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { shown } from '../judge/answering.ts'

const user = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } }
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]
const failures = { 400: shown({}), 404: shown({}) }

const run = async (
  conflict: object,
  refuse: (answer: Asked['answer']) => void = answer => answer(409, {}),
) => {
  const users = new Set([1])
  const url = await startJsonServer(({ method, path: [kind, id, action, more], answer }) => {
    if (kind !== 'users' || more !== undefined) return answer(404, {})
    if (id === undefined) {
      if (method !== 'POST') return answer(405, {})
      users.add(users.size + 1)
      return answer(201, { id: users.size })
    }
    if (!/^[1-9]\d*$/.test(id)) return answer(400, {})
    if (!users.has(Number(id)) || (action !== undefined && action !== 'activate')) return answer(404, {})
    if (action === undefined) return method === 'GET' ? answer(200, { id: Number(id) }) : answer(405, {})
    return method === 'POST' ? refuse(answer) : answer(405, {})
  })
  const document = documentWith({
    '/users': { post: { operationId: 'createUser', responses: { 201: shown(user), ...failures } } },
    '/users/{id}': {
      get: { operationId: 'getUser', parameters, responses: { 200: shown(user), ...failures } },
    },
    '/users/{id}/activate': {
      post: {
        operationId: 'activateUser',
        parameters,
        responses: { 200: shown(user), ...failures, ...conflict },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('users.json', document) })
  const { entries, findings } = await verify({ contract, target: url, seed: 1, sustained: 0 })
  const valid = entries.find(({ obligation }) => obligation.id === 'activateUser/request/valid')
  return { verdict: valid?.verdict, titles: findings.map(({ title }) => title) }
}

test('a declared 409 is no fault', async () => {
  const { verdict, titles } = await run({ 409: shown({}) })
  expect(titles).toEqual([])
  expect(verdict).toMatchObject({
    kind: 'untested',
    reason: expect.stringMatching(/^the server answers 409/),
  })
})

test('another one is', async () => {
  expect((await run({})).titles).toContain('accepted no valid request (409)')
})

test.each([
  ['Workflow is not archived.', true],
  ['the user has already been activated', true],
  ['id is not valid', false],
  ['the user is not allowed to do this', false],
])('a declared 400 that says «%s»: %s', async (message, isOfState) => {
  const { verdict } = await run({ 409: shown({}) }, answer => answer(400, { message }))
  expect(verdict?.kind).toBe(isOfState ? 'untested' : 'failed')
})
