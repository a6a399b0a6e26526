/** What there is one of keeps what other requests have stored: that is no mix-up of responses. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from './answering.ts'

const text = { type: 'string', maxLength: 60 }
const profile = {
  type: 'object',
  required: ['name'],
  properties: { name: { ...text, minLength: 1 }, title: text, city: text },
}
const failures = { 400: { description: 'rejected' } }

/** Answers with all that it has been told so far. */
const serve = () => {
  const kept: Record<string, string> = { name: 'Ann', title: '', city: '' }
  return ({ method, body }: Asked): Answer => {
    if (method === 'GET') return { status: 200, body: { ...kept } }
    const sent = objectIn(body)
    const isRight = (name: string): boolean =>
      sent?.[name] === undefined || (typeof sent[name] === 'string' && [...sent[name]].length <= 60)
    const isNamed =
      method === 'PATCH' ? sent?.name !== '' : typeof sent?.name === 'string' && sent.name !== ''
    if (sent === null || !isNamed || !Object.keys(kept).every(isRight)) return { status: 400 }
    for (const name of Object.keys(kept)) if (typeof sent[name] === 'string') kept[name] = sent[name]
    return { status: 200, body: { ...kept } }
  }
}

test.each(['put', 'patch', 'post'])('%s', async method => {
  const document = {
    paths: {
      '/profile': {
        get: { operationId: 'read', responses: { 200: shown(profile) } },
        [method]: {
          operationId: 'write',
          requestBody: bodyOf(method === 'patch' ? { ...profile, required: [] } : profile),
          responses: { 200: shown(profile), ...failures },
        },
      },
    },
  }
  const { findings, entries } = await verifyAnswering(document, serve(), { cases: 600, sustained: 300 })
  expect(entries.some(({ obligation: { id } }) => id === 'write/stability/pairing')).toBe(true)
  expect(findings.filter(({ obligation }) => obligation.includes('stability'))).toEqual([])
})
