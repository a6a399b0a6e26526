/** A store whose tasks go with their project, whatever the document says of that: only a property names it. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = (schema: object, description = 'as it is') => ({
  description,
  content: { 'application/json': { schema } },
})
const id = { type: 'integer', minimum: 1 }
const no = json({ type: 'object' }, 'no')
const item = (properties: object) =>
  json({ type: 'object', required: ['id'], properties: { id, ...properties } })
const text = { type: 'string', minLength: 1 }

const operationsOf = (noun: string, properties: object, required: readonly string[]) => ({
  [`/${noun}s`]: {
    post: {
      operationId: `create-${noun}`,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', required, properties } } },
      },
      responses: { 201: item(properties), 400: no, 404: no },
    },
  },
  [`/${noun}s/{${noun}_id}`]: {
    parameters: [{ name: `${noun}_id`, in: 'path', required: true, schema: id }],
    get: { operationId: `get-${noun}`, responses: { 200: item(properties), 400: no, 404: no } },
    delete: { operationId: `delete-${noun}`, responses: { 204: { description: 'gone' }, 400: no, 404: no } },
  },
})

const document = documentWith({
  ...operationsOf('project', { title: text }, ['title']),
  ...operationsOf('task', { title: text, project_id: id }, ['title', 'project_id']),
})

type Kept = { readonly title: string; readonly project_id?: number }

/** `forgets`: each so many reads of a task, it is not found; `keeps`: so many projects are kept, the newest. */
const start = (forgets: number, keeps: number): Promise<string> => {
  const stores = { projects: new Map<number, Kept>(), tasks: new Map<number, Kept>() }
  let [next, reads] = [1, 0]
  return startJsonServer(({ method, path: [kind, part, more], sent, answer }) => {
    if ((kind !== 'projects' && kind !== 'tasks') || more !== undefined) return answer(404, {})
    const store = stores[kind]
    if (part === undefined) {
      if (method !== 'POST') return answer(405, {})
      const { title, project_id: project } = sent ?? {}
      if (typeof title !== 'string' || title === '') return answer(400, {})
      if (kind === 'tasks') {
        if (typeof project !== 'number' || !Number.isInteger(project) || project < 1) return answer(400, {})
        if (!stores.projects.has(project)) return answer(404, {})
        store.set(next, { title, project_id: project })
      } else store.set(next, { title })
      if (kind === 'projects' && store.size > keeps) store.delete([...store.keys()][0] as number)
      return answer(201, { id: next, ...store.get(next++) })
    }
    if (method !== 'GET' && method !== 'DELETE') return answer(405, {})
    if (!/^[1-9]\d*$/.test(part)) return answer(400, {})
    const known = store.get(Number(part))
    if (known === undefined) return answer(404, {})
    if (method === 'GET') {
      reads += kind === 'tasks' ? 1 : 0
      const isForgotten = kind === 'tasks' && reads % forgets === 0
      return isForgotten ? answer(404, {}) : answer(200, { id: Number(part), ...known })
    }
    store.delete(Number(part))
    if (kind === 'projects')
      for (const [task, { project_id: project }] of stores.tasks)
        if (project === Number(part)) stores.tasks.delete(task)
    answer(204)
  })
}

const findingsOn = async (
  seed: number,
  { forgets = Number.POSITIVE_INFINITY, keeps = Number.POSITIVE_INFINITY } = {},
): Promise<readonly string[]> => {
  const contract = await loadContract({ from: writeDocument('tasks.json', document) })
  const target = await start(forgets, keeps)
  const { findings } = await verify({ contract, target, seed, sustained: 0, cases: 600 })
  return findings.map(({ obligation, title }) => `${obligation}: ${title}`)
}

test.each([1, 2, 3])(
  'what goes with something else is no fault (seed %i)',
  { timeout: 60_000 },
  async seed => {
    expect(await findingsOn(seed)).toEqual([])
  },
)

test('what is not found now and then is one', { timeout: 60_000 }, async () => {
  expect((await findingsOn(1, { forgets: 17 })).join('\n')).toMatch(/get-task\/.*404/)
})

test('a store that keeps a few alone is one, whatever else is removed meanwhile', {
  timeout: 60_000,
}, async () => {
  expect((await findingsOn(1, { keeps: 30 })).join('\n')).toMatch(/(?:get|delete)-project\/.*404/)
})

const kernel = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } }

/** Sessions that run in a kernel go with it, and a kernel goes with any of its sessions. */
const startSessions = (): Promise<string> => {
  const sessions = new Map<string, string>()
  let next = 1
  return startJsonServer(({ method, path: [kind, part, more], sent, answer }) => {
    if (kind !== 'sessions' || more !== undefined) return answer(404, {})
    if (part === undefined) {
      if (method !== 'POST') return answer(405, {})
      const { id } = (sent?.kernel ?? {}) as { id?: unknown }
      if (typeof id !== 'string' || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
        return answer(400, {})
      sessions.set(String(next), id)
      return answer(201, { id: next++, kernel: { id } })
    }
    if (method !== 'GET' && method !== 'DELETE') return answer(405, {})
    if (!/^[1-9]\d*$/.test(part)) return answer(400, {})
    const used = sessions.get(part)
    if (used === undefined) return answer(404, {})
    if (method === 'GET') return answer(200, { id: Number(part), kernel: { id: used } })
    for (const [session, other] of sessions) if (other === used) sessions.delete(session)
    answer(204)
  })
}

test.each([1, 2, 3])('nor what has the same inside it (seed %i)', { timeout: 60_000 }, async seed => {
  const contract = await loadContract({
    from: writeDocument('sessions.json', documentWith(operationsOf('session', { kernel }, ['kernel']))),
  })
  const target = await startSessions()
  const { findings } = await verify({ contract, target, seed, sustained: 0, cases: 600 })
  expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
})
