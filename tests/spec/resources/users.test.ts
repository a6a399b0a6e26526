/** Which operations are about whoever asks, and which may change users. */
import { expect, test } from 'vitest'
import { isUserChange, loadContract, type Operation, showsOwnUser } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const operationAt = async (method: string, path: string): Promise<Operation> => {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const item = { [method.toLowerCase()]: { parameters, responses: { 200: { description: 'done' } } } }
  const contract = await loadContract({ from: writeDocument('users.json', documentWith({ [path]: item })) })
  return contract.operations[0] as Operation
}

test.each([
  ['GET', '/users/me', true],
  ['GET', '/api/v1/me', true],
  ['GET', '/user', true],
  ['GET', '/auth/whoami', true],
  ['GET', '/oauth/userinfo', true],
  ['GET', '/current_user', true],
  ['POST', '/api/users/get_my_user', true],
  ['PATCH', '/users/me', false],
  ['GET', '/users', false],
  ['GET', '/users/{id}', false],
  ['GET', '/users/{id}/profile', false],
  ['GET', '/meters', false],
])('%s %s is about whoever asks: %s', async (method, path, expected) => {
  expect(showsOwnUser(await operationAt(method, path))).toBe(expected)
})

test.each([
  ['PATCH', '/users/{id}', true],
  ['DELETE', '/accounts/{name}', true],
  ['POST', '/api/users/update', true],
  ['POST', '/api/users/refresh_token', true],
  ['POST', '/api/projects/{project}/set_members', true],
  ['POST', '/api/users/get_user', false],
  ['POST', '/api/users/list', false],
  ['POST', '/users/search', false],
  ['POST', '/api/users/create', false],
  ['GET', '/users/{id}', false],
  ['POST', '/plants', false],
  ['DELETE', '/plants/{id}', false],
])('%s %s may change users: %s', async (method, path, expected) => {
  expect(isUserChange(await operationAt(method, path))).toBe(expected)
})
