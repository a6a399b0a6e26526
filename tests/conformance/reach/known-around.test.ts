/** A path with two names, of which nobody makes or lists the last one: its requests get as far as there. */
import { expect, test } from 'vitest'
import { bodyOf } from '../../spec/contracts.ts'
import {
  type Answer,
  type Asked,
  objectIn,
  shown,
  usualAnswers,
  verifyAnswering,
} from '../judge/answering.ts'

const name = { type: 'string', minLength: 1 }
const flow = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string', format: 'uuid' }, name },
}
const inPath = (parameter: string, schema: object) => ({
  name: parameter,
  in: 'path',
  required: true,
  schema,
})
const flowId = inPath('flow_id', { type: 'string', format: 'uuid' })
const ofFile = { parameters: [flowId, inPath('file_name', { type: 'string' })] }
const document = {
  paths: {
    '/flows': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: flow }) } },
      post: {
        operationId: 'create',
        requestBody: bodyOf({ type: 'object', required: ['name'], properties: { name } }),
        responses: { ...usualAnswers, 201: shown(flow) },
      },
    },
    '/flows/{flow_id}': {
      parameters: [flowId],
      get: { operationId: 'read', responses: { ...usualAnswers, 200: shown(flow) } },
      delete: { operationId: 'remove', responses: usualAnswers },
    },
    '/files/download/{flow_id}/{file_name}': {
      ...ofFile,
      get: { operationId: 'download', responses: usualAnswers },
    },
    '/files/delete/{flow_id}/{file_name}': {
      ...ofFile,
      delete: { operationId: 'drop', responses: usualAnswers },
    },
  },
}

test('a server that fails at a name that nothing has, below what it has, is told', async () => {
  const flows = new Map<string, object>()
  const notFound: Answer = { status: 404, body: { detail: 'Flow not found' } }
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, kind, first, second] = url.pathname.split('/')
    if (kind === 'files') {
      const isKnown = flows.has(second ?? '')
      return isKnown ? { status: 500, body: { detail: `no file in ${second} after ${first}` } } : notFound
    }
    if (first !== undefined) {
      if (!flows.has(first)) return notFound
      if (method === 'GET') return { status: 200, body: flows.get(first) }
      if (method !== 'DELETE') return { status: 405 }
      flows.delete(first)
      return { status: 204 }
    }
    if (method === 'GET') return { status: 200, body: [...flows.values()] }
    const given = objectIn(body)?.name
    if (method !== 'POST') return { status: 405 }
    if (typeof given !== 'string' || given === '') return { status: 400, body: {} }
    const made = { id: crypto.randomUUID(), name: given }
    flows.set(made.id, made)
    return { status: 201, body: made }
  }
  const { findings } = await verifyAnswering(document, answer, { cases: 600, include: ['*'] })
  const failed = findings.filter(({ actual }) => actual.startsWith('500')).map(({ obligation }) => obligation)
  expect(new Set(failed.map(id => id.split('/')[0]))).toEqual(new Set(['download', 'drop']))
})
