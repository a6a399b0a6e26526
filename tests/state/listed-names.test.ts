/** A service whose rules are named by the values of an enum. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const type = { enum: ['A', 'B', 'C'] }
const rule = {
  type: 'object',
  required: ['type', 'config'],
  properties: { type, config: { type: 'string', minLength: 1, maxLength: 20 } },
}
const box = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const said = (schema: object) => ({ description: 'it', content: json(schema) })
const no = { description: 'no' }
const ofRule = [{ name: 'type', in: 'path', required: true, schema: type }]
const ofBox = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }]

const paths = (hasRemove: boolean) => ({
  '/rules': {
    post: {
      operationId: 'makeRule',
      requestBody: { required: true, content: json(rule) },
      responses: { 201: said(rule), 400: no, 409: no },
    },
  },
  '/rules/{type}': {
    parameters: ofRule,
    get: { operationId: 'getRule', responses: { 200: said(rule), 400: no, 404: no } },
    put: {
      operationId: 'putRule',
      requestBody: { required: true, content: json(rule) },
      responses: { 200: said(rule), 400: no, 404: no },
    },
    ...(hasRemove
      ? {
          delete: {
            operationId: 'removeRule',
            responses: { 204: { description: 'gone' }, 400: no, 404: no },
          },
        }
      : {}),
  },
  '/boxes': { post: { operationId: 'makeBox', responses: { 201: said(box), 400: no } } },
  '/boxes/{id}': {
    parameters: ofBox,
    get: { operationId: 'getBox', responses: { 200: said(box), 400: no, 404: no } },
    delete: { operationId: 'removeBox', responses: { 204: { description: 'gone' }, 400: no, 404: no } },
  },
})

const isRule = (value: unknown): value is { readonly type: string; readonly config: string } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type: of, config } = value as Record<string, unknown>
  const isText = typeof config === 'string' && [...config].length >= 1 && [...config].length <= 20
  return typeof of === 'string' && ['A', 'B', 'C'].includes(of) && isText
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Starts it with these rules. */
const start = async (before: readonly string[], hasRemove = true, include: readonly string[] = []) => {
  const rules = new Map(before.map(name => [name, { type: name, config: 'precious' }]))
  const boxes = new Set<number>()
  let [made, most] = [0, 0]
  const done: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '' } = request
    const answer = (status: number, body?: object): void => {
      done.push(`${status} ${method} ${url}`)
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const isJson = /^application\/json/i.test(request.headers['content-type'] ?? '')
    const body = isJson ? parsed(Buffer.concat(chunks).toString()) : null
    const [, kind, name = '', more] = (url.split('?')[0] ?? '').split('/')
    if (more !== undefined) return answer(404)
    if (kind === 'boxes' && name === '' && method === 'POST') {
      boxes.add(++made)
      return answer(201, { id: made })
    }
    if (kind === 'boxes') {
      if (!/^[1-9]\d*$/.test(name)) return answer(400)
      if (!boxes.has(Number(name))) return answer(404)
      if (method === 'GET') return answer(200, { id: Number(name) })
      if (method !== 'DELETE') return answer(405)
      boxes.delete(Number(name))
      return answer(204)
    }
    if (kind !== 'rules') return answer(404)
    if (name === '') {
      if (method !== 'POST') return answer(405)
      if (!isRule(body)) return answer(400)
      if (rules.has(body.type)) return answer(409)
      rules.set(body.type, body)
      most = Math.max(most, rules.size)
      return answer(201, body)
    }
    if (!['A', 'B', 'C'].includes(name)) return answer(400)
    if (!['GET', 'PUT', ...(hasRemove ? ['DELETE'] : [])].includes(method)) return answer(405)
    if (method === 'PUT' && !isRule(body)) return answer(400)
    const found = rules.get(name)
    if (found === undefined) return answer(404)
    if (method === 'PUT' && isRule(body)) rules.set(name, body)
    if (method === 'DELETE') rules.delete(name)
    return method === 'DELETE' ? answer(204) : answer(200, rules.get(name))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('rules.json', documentWith(paths(hasRemove))) })
  const notes: string[] = []
  const { findings, entries } = await verify({
    ...{ contract, target: url, seed: 1, cases: 300, sustained: 0, include: [...include] },
    onEvent: event => {
      if (event.type === 'note') notes.push(event.message)
    },
  })
  const passed = new Set(
    entries.filter(({ verdict }) => verdict.kind === 'passed').map(({ obligation }) => obligation.id),
  )
  return {
    rules,
    most,
    done,
    notes,
    passed,
    findings: findings.map(({ obligation, title }) => [obligation, title]),
  }
}

test('what was made under a listed name is removed after its case, so that nothing else fails for it', async () => {
  const { rules, most, done, notes, passed, findings } = await start([])
  expect(findings).toEqual([])
  expect([...rules]).toEqual([])
  expect(notes.filter(note => /stay|removed/.test(note))).toEqual([])
  for (const request of ['POST /rules', 'GET /rules/A', 'PUT /rules/A', 'DELETE /rules/A'])
    expect(
      done.filter(each => each.startsWith('2') && each.endsWith(request)).length,
      request,
    ).toBeGreaterThan(0)
  expect(most).toBe(1)
  for (const operation of ['makeRule', 'getRule', 'putRule', 'removeRule', 'makeBox'])
    expect(passed).toContain(`${operation}/request/valid`)
  // Boxes are needed by what asks for them, and rules by nothing.
  const first = (start: RegExp): number => done.findIndex(each => start.test(each))
  expect(first(/201 POST \/rules$/)).toBeGreaterThan(first(/201 POST \/boxes$/))
})

test('what had a listed name before the run is neither changed nor removed, and all names are read', async () => {
  const { rules, done, findings } = await start(['B'])
  expect(findings).toEqual([])
  expect([...rules]).toEqual([['B', { type: 'B', config: 'precious' }]])
  expect(done.filter(each => /(?:PUT|DELETE) \/rules\/B$/.test(each) && each.startsWith('2'))).toEqual([])
  for (const name of ['A', 'B', 'C'])
    expect(done.some(each => each.endsWith(`GET /rules/${name}`))).toBe(true)
})

test('what nothing can remove is named', async () => {
  const { rules, notes } = await start([], false)
  expect(rules.size).toBeGreaterThan(0)
  expect(notes.filter(note => note.includes('no operation of the contract removes it'))).toEqual([
    expect.stringMatching(/\/rules\/\{type\}: [ABC]/),
  ])
})
