/** Resources that are created, and of which the document has operations on their parts alone. */
import { expect, test } from 'vitest'
import {
  type Answer,
  type Asked,
  objectIn,
  shown,
  usualAnswers,
  verifyAnswering,
} from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } }
const paths = {
  '/teams': {
    post: {
      operationId: 'create',
      requestBody: bodyOf(named),
      responses: { ...usualAnswers, 201: shown(named) },
    },
  },
  '/teams/{name}/parts/{part}': {
    parameters: ['name', 'part'].map(name => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    put: { operationId: 'change', requestBody: bodyOf(named), responses: usualAnswers },
  },
}

test('they are created, and their parts changed', async () => {
  const teams = new Set<string>()
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, , name] = url.pathname.split('/').map(decodeURIComponent)
    const given = objectIn(body)?.name
    const isValid = typeof given === 'string' && given !== ''
    if (name !== undefined) {
      if (!teams.has(name)) return { status: 404, body: {} }
      if (method !== 'PUT') return { status: 405 }
      return isValid ? { status: 204 } : { status: 400, body: {} }
    }
    if (method !== 'POST') return { status: 405 }
    if (!isValid) return { status: 400, body: {} }
    teams.add(given)
    return { status: 201, body: { name: given } }
  }
  const { entries } = await verifyAnswering({ paths }, answer, { cases: 400 })
  const of = entries.filter(({ obligation: { id } }) => id.startsWith('change/request/body/name/'))
  expect(of.length).toBeGreaterThan(20)
  expect(of.filter(({ verdict }) => verdict.kind !== 'passed' && verdict.kind !== 'untested')).toEqual([])
  expect(of.some(({ verdict }) => verdict.kind === 'passed')).toBe(true)
})
