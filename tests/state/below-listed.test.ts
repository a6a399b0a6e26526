/** What nobody may create, and a list shows: requests below it name it, by whatever property the path takes. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const answer = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const path = (name: string) => ({ name, in: 'path', required: true, schema: text })
const none = Object.fromEntries([400, 403, 404].map(status => [status, { description: 'rejected' }]))

const documentOf = (parameter: string, property: string) => {
  const channel = { type: 'object', properties: { note: text, [property]: text } }
  const mirror = { type: 'object', required: ['url'], properties: { url: text } }
  const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
  return documentWith({
    '/channels': {
      get: { operationId: 'listChannels', responses: { 200: answer({ type: 'array', items: channel }) } },
      post: {
        operationId: 'addChannel',
        requestBody: body({ type: 'object', required: ['note'], properties: { note: text } }),
        responses: { 201: answer(channel), ...none },
      },
    },
    [`/channels/{${parameter}}`]: {
      get: {
        operationId: 'getChannel',
        parameters: [path(parameter)],
        responses: { 200: answer(channel), ...none },
      },
    },
    [`/channels/{${parameter}}/mirrors`]: {
      post: {
        operationId: 'addMirror',
        parameters: [path(parameter)],
        requestBody: body(mirror),
        responses: { 201: answer({ type: 'object' }), ...none },
      },
    },
    [`/channels/{${parameter}}/mirrors/{mirror_id}`]: {
      delete: {
        operationId: 'removeMirror',
        parameters: [path(parameter), path('mirror_id')],
        responses: { 204: { description: 'removed' }, ...none },
      },
    },
  })
}

/** The channel is called `green`; whoever removes what a channel lacks crashes the server. */
const run = async (parameter: string, property: string) => {
  const asked: string[] = []
  const target = await startJsonServer(({ method, path: [, name, part, id], sent, answer: send }) => {
    if (name === undefined)
      return method === 'GET' ? send(200, [{ note: 'of all', [property]: 'green' }]) : send(403)
    asked.push(`${method} ${name}`)
    if (name !== 'green') return send(404)
    if (part === undefined) return send(200, { note: 'of all', [property]: 'green' })
    if (id !== undefined) return send(500)
    return send(typeof sent?.url === 'string' ? 201 : 400, {})
  })
  const contract = await loadContract({
    from: writeDocument('channels.json', documentOf(parameter, property)),
  })
  const { entries, findings } = await verify({
    ...{ contract, target, seed: 1, sustained: 0, cases: 300 },
    include: [`DELETE /channels/{${parameter}}/mirrors/{mirror_id}`],
  })
  const kindOf = (id: string): string | undefined =>
    entries.find(({ obligation }) => obligation.id === id)?.verdict.kind
  return { asked, kindOf, crashed: findings.map(({ obligation }) => obligation.split('/')[0]) }
}

test.each([
  ['channel_name', 'name'],
  ['channelSlug', 'slug'],
  ['channel', 'title'],
])('{%s} is what the list calls %s', async (parameter, property) => {
  const { asked, kindOf, crashed } = await run(parameter, property)
  expect(kindOf('addMirror/request/valid')).toBe('passed')
  expect(asked.filter(each => each === 'DELETE green')).not.toEqual([])
  expect(crashed).toContain('removeMirror')
})
