/** A resource that is the only one of its path, such as an avatar: what another request removed is not there. */
import { expect, test } from 'vitest'
import { shown, verifyAnswering } from './answering.ts'

test.each([true, false])('what is the only one of its path may have been removed (%s)', async isRemovable => {
  let isThere = true
  const responses = { 200: shown({}), 401: { description: 'no' } }
  const avatar = {
    get: { operationId: 'read', responses },
    put: { operationId: 'replace', responses },
    ...(isRemovable ? { delete: { operationId: 'remove', responses } } : {}),
  }
  let count = 0
  const { findings } = await verifyAnswering(
    { paths: { '/avatar': avatar } },
    ({ method }) => {
      count += 1
      if (method === 'PUT') isThere = true
      if (method === 'DELETE' || (!isRemovable && count % 7 === 6)) isThere = false
      return ['GET', 'PUT', 'DELETE'].includes(method ?? '')
        ? { status: isThere || method !== 'GET' ? 200 : 404, body: {} }
        : { status: 405 }
    },
    { include: ['*'] },
  )
  const titles = findings.map(({ title }) => title).filter(title => !title.includes('undeclared'))
  if (isRemovable) expect(titles).toEqual([])
  else expect(titles.join()).toMatch(/404/)
})
