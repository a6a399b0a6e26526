import { expect, test } from 'vitest'
import { itemsIn } from '../../../spec/index.ts'

const users = [{ id: 1 }]
const roles = [{ id: 7 }]

test.each([
  ['the body itself', users, null, users],
  ['the one list in it', { users, count: 1 }, null, users],
  ['the one list in the one object', { data: { users } }, null, users],
  ['one of two, as nobody says which', { users, rootRoles: roles }, null, null],
  ['the one that is called like the path', { users, rootRoles: roles }, '/api/user-admin', users],
  ['the other one', { users, rootRoles: roles }, '/api/roles', roles],
  ['none that is called like the path', { users, rootRoles: roles }, '/api/people', null],
  ['two that are called like the path', { users, lastUsers: roles }, '/users', null],
])('the items of a list are %s', (_name, body, path, items) => {
  expect(itemsIn(body, path)).toEqual(items)
})
