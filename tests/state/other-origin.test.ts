/** A service whose answer to a creation has another thing's id: what was listed is accepted, and what was created is not. */
import { expect, test } from 'vitest'
import { objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

const text = { type: 'string' }
const prompt = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
const rejected = { description: 'rejected' }
const given = bodyOf({ type: 'object', required: ['name'], properties: { name: text } })
const document = {
  paths: {
    '/prompts': {
      get: { operationId: 'list', responses: { 200: shown({ type: 'array', items: prompt }) } },
      post: {
        operationId: 'create',
        requestBody: given,
        responses: { 200: shown(prompt), 400: rejected, 422: rejected },
      },
    },
    '/prompts/{id}/versions': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      post: {
        operationId: 'addVersion',
        requestBody: given,
        responses: { 201: { description: 'added' }, 400: rejected, 422: rejected },
      },
    },
  },
}

/** Creations that are rejected before the first one is accepted. */
const late = 40

test.each([1, 2])(
  'what a run creates only later is not held against what it found, with seed %i',
  async seed => {
    let [creations, versions, wrong] = [0, 0, 0]
    const { findings } = await verifyAnswering(
      document,
      ({ method, url, body }) => {
        const [, , id, part] = url.pathname.split('/')
        const name = objectIn(body)?.name
        const isNamed = typeof name === 'string'
        if (id === undefined) {
          if (method === 'GET') return { status: 200, body: [{ id: 'prompt-1', name: 'first' }] }
          if (method !== 'POST') return { status: 405 }
          if (!isNamed) return { status: 400 }
          creations += 1
          if (creations <= late) return { status: 422, body: { error: 'no room' } }
          return { status: 200, body: { id: `version-${creations}`, name } }
        }
        if (part !== 'versions') return { status: 404 }
        if (method !== 'POST') return { status: 405 }
        if (!isNamed) return { status: 400 }
        if (id !== 'prompt-1') {
          wrong += 1
          return { status: 422, body: { error: 'Invalid prompt name' } }
        }
        versions += 1
        return { status: 201 }
      },
      { seed, include: ['*'] },
    )
    expect(versions).toBeGreaterThan(0)
    expect(wrong).toBeGreaterThan(0)
    expect(findings.map(({ obligation }) => obligation)).not.toContain('addVersion/stability/drift')
  },
)
