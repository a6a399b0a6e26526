/** A server of permissions: a store answers nothing until a model is written to it, and then only what the model knows. */
import { expect, test } from 'vitest'
import { replay, verify } from '../../conformance/index.ts'
import { type Contract, type Ledger, loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const said = (schema: object) => ({ description: 'it', content: { 'application/json': { schema } } })
const no = said({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } })
const text = { type: 'string' }
const named = (name: string) => ({ name, in: 'path', required: true, schema: text })
const kind = {
  type: 'object',
  required: ['name'],
  properties: { name: text, relations: { type: 'array', items: text } },
}
const kinds = { type: 'array', minItems: 1, items: kind }
const example = [{ name: 'document', relations: ['reader', 'writer'] }]
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
})
const rejected = { 400: no, 404: no, 415: no }
const question = object(
  {
    relation: { ...text, example: 'reader' },
    object: { ...text, example: 'document:1' },
    model: { ...text, example: 'a-model-of-the-example' },
  },
  ['relation', 'object'],
)

const document = documentWith({
  '/stores': {
    post: {
      operationId: 'createStore',
      requestBody: bodyOf(object({ title: text })),
      responses: { 201: said(object({ id: text })), ...rejected },
    },
  },
  '/stores/{store}': {
    parameters: [named('store')],
    get: { operationId: 'readStore', responses: { 200: said(object({ id: text })), 404: no } },
    delete: { operationId: 'removeStore', responses: { 204: { description: 'gone' }, 404: no } },
  },
  '/stores/{store}/models': {
    parameters: [named('store')],
    post: {
      operationId: 'writeModel',
      requestBody: bodyOf(object({ kinds, version: text })),
      responses: { 201: said(object({ id: text })), ...rejected },
    },
  },
  '/stores/{store}/models/{model}': {
    parameters: [named('store'), named('model')],
    get: {
      operationId: 'readModel',
      responses: { 200: said(object({ id: text, kinds: { ...kinds, example }, version: text })), 404: no },
    },
    delete: { operationId: 'removeModel', responses: { 204: { description: 'gone' }, 404: no } },
  },
  '/stores/{store}/check': {
    parameters: [named('store')],
    post: {
      operationId: 'check',
      requestBody: bodyOf(question),
      responses: { 200: said(object({ allowed: { type: 'boolean' } })), ...rejected },
    },
  },
})

type Kind = { readonly name: string; readonly relations?: readonly string[] }
type Model = { readonly id: string; readonly version: string; readonly kinds: readonly Kind[] }

const isText = (value: unknown): value is string => typeof value === 'string'

const isKind = (value: unknown): value is Kind => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { name, relations = [] } = value as { name?: unknown; relations?: unknown }
  return isText(name) && Array.isArray(relations) && relations.every(isText)
}

/** `allowed`: what a check answers. */
const startPermissions = async (allowed: unknown) => {
  const stores = new Map<string, Model[]>()
  const checked: number[] = []
  let count = 0
  const url = await startJsonServer(({ method, path: [all, id = '', part, name], sent, answer }) => {
    const fail = (status: number, error: string): void => answer(status, { error })
    if (all !== 'stores') return fail(404, 'no such path')
    if (id === '') {
      if (method !== 'POST') return fail(405, 'POST, please')
      if (sent === null || !isText(sent.title)) return fail(400, 'no title')
      stores.set(`s${++count}`, [])
      return answer(201, { id: `s${count}` })
    }
    const models = stores.get(id)
    if (models === undefined) return fail(404, 'no such store')
    // What is in a store has to be removed first.
    if (part === undefined && method === 'DELETE' && models.length > 0) return fail(400, 'store is not empty')
    if (part === undefined) {
      if (method === 'DELETE') stores.delete(id)
      return method === 'DELETE' ? answer(204) : method === 'GET' ? answer(200, { id }) : fail(405, 'no')
    }
    if (part === 'models' && name !== undefined) {
      const found = models.find(each => each.id === name)
      if (found === undefined) return fail(404, 'no such model')
      if (method !== 'DELETE') return method === 'GET' ? answer(200, found) : fail(405, 'no')
      models.splice(models.indexOf(found), 1)
      return answer(204)
    }
    if (part === 'models') {
      const { kinds: given, version } = sent ?? {}
      if (method !== 'POST' || !Array.isArray(given) || given.length === 0 || !given.every(isKind))
        return fail(method === 'POST' ? 400 : 405, 'no kinds')
      if (version !== '1.0' && version !== '1.1')
        return fail(400, 'invalid version: value must be in list [1.0 1.1]')
      models.push({ id: `m${++count}`, version, kinds: given })
      return answer(201, { id: `m${count}` })
    }
    const latest = models.at(-1)
    if (part !== 'check' || method !== 'POST') return fail(404, 'no such path')
    const { relation, object: asked, model } = sent ?? {}
    if (!isText(relation) || !isText(asked) || !(model === undefined || isText(model)))
      return fail(400, 'no question')
    const chosen = model === undefined ? latest : models.find(each => each.id === model)
    if (chosen === undefined)
      return fail(400, model === undefined ? `no model in store '${id}'` : `model '${model}' not found`)
    const known = chosen.kinds.find(each => asked.startsWith(`${each.name}:`))
    if (known === undefined) return fail(400, `the model has no kind of '${asked}'`)
    if (known.relations?.includes(relation) !== true)
      return fail(400, `the model has no relation '${relation}'`)
    checked.push(count)
    return answer(200, { allowed })
  })
  return { url, stores, checked }
}

const wrong = 'check/response/200/body/allowed/type'

const contractOf = (): Promise<Contract> =>
  loadContract({ from: writeDocument('permissions.json', document) })

const run = async (contract: Contract, target: string, more = {}): Promise<Ledger> =>
  verify({ contract, target, seed: 1, cases: 900, sustained: 0, ...more })

test('what needs something in a resource is asked for one that has it', async () => {
  const { url, stores, checked } = await startPermissions(true)
  const ledger = await run(await contractOf(), url)
  const verdictOf = (id: string) =>
    ledger.entries.find(({ obligation }) => obligation.id === id)?.verdict.kind
  expect(checked.length).toBeGreaterThan(20)
  expect(verdictOf('check/request/body/relation/type/number')).toBe('passed')
  expect([...stores.keys()]).toEqual([])
})

test('a finding there is confirmed, and its replay writes the model first', async () => {
  const { url } = await startPermissions('yes')
  const contract = await contractOf()
  const { findings, ...ledger } = await run(contract, url)
  const finding = findings.find(({ obligation }) => obligation === wrong)
  expect(finding?.steps?.map(({ role, operation }) => `${role} ${operation}`)).toEqual([
    'create createStore',
    'content writeModel',
  ])
  const again = await replay({
    contract,
    ledger: { findings, ...ledger },
    id: finding?.id ?? '',
    target: new URL(url),
    token: null,
    seed: 2,
  })
  expect(again.violations.length).toBeGreaterThan(0)
})

test('the command for one operation alone finds the same', async () => {
  const { url } = await startPermissions('yes')
  const include = ['createStore', 'removeStore', 'writeModel', 'removeModel']
  const { findings } = await run(await contractOf(), url, { only: ['check/*'], include })
  expect(findings.map(({ obligation }) => obligation)).toContain(wrong)
})
