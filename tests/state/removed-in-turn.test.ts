/** A service in which nothing can be removed as long as something made later belongs to it, at whatever path that is. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, objectIn, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { bodyOf } from '../spec/contracts.ts'

/** Each kind with what its things belong to. */
const owners = { author: null, book: 'author', copy: 'book', loan: 'copy' } as const
type Kind = keyof typeof owners
const kinds = Object.keys(owners) as Kind[]

const ownerId = (kind: Kind): string | null => (owners[kind] === null ? null : `${owners[kind]}_id`)

const id = { type: 'string', format: 'uuid' }
const failures = {
  400: { description: 'rejected' },
  404: { description: 'unknown' },
  409: { description: 'still used' },
}

const paths = Object.fromEntries(
  kinds.flatMap(kind => {
    const owner = ownerId(kind)
    const wanted = {
      type: 'object',
      required: ['title', ...(owner === null ? [] : [owner])],
      properties: { title: { type: 'string', minLength: 1 }, ...(owner === null ? {} : { [owner]: id }) },
    }
    const made = {
      ...wanted,
      required: ['id', ...wanted.required],
      properties: { id, ...wanted.properties },
    }
    const post = {
      operationId: `create_${kind}`,
      requestBody: bodyOf(wanted),
      responses: { 201: shown(made), ...failures },
    }
    const get = { operationId: `read_${kind}`, responses: { 200: shown(made), ...failures } }
    const remove = {
      operationId: `remove_${kind}`,
      responses: { 204: { description: 'gone' }, ...failures },
    }
    const named = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
      get,
      delete: remove,
    }
    return [
      [`/${kind}`, { post }],
      [`/${kind}/{id}`, named],
    ]
  }),
)

const serve = () => {
  const things = new Map<
    string,
    { readonly kind: Kind; readonly owner: string | null; readonly body: object }
  >()
  let [made, next] = [0, 0]
  const answer = ({ method, url, body }: Asked): Answer => {
    const [, kind = '', name] = url.pathname.split('/').map(decodeURIComponent)
    if (kind !== 'author' && kind !== 'book' && kind !== 'copy' && kind !== 'loan') return { status: 404 }
    if (name === undefined) {
      if (method !== 'POST') return { status: 405 }
      const [wanted, property] = [objectIn(body), ownerId(kind)]
      const owner = property === null ? null : wanted?.[property]
      if (wanted === null || typeof wanted.title !== 'string' || wanted.title === '') return { status: 400 }
      if (owner !== null && (typeof owner !== 'string' || things.get(owner)?.kind !== owners[kind]))
        return { status: 400, body: { message: `${property} does not exist` } }
      const key = `00000000-0000-4000-8000-${(++next).toString(16).padStart(12, '0')}`
      const thing = { id: key, title: wanted.title, ...(property === null ? {} : { [property]: owner }) }
      things.set(key, { kind, owner, body: thing })
      made += kind === 'loan' ? 1 : 0
      return { status: 201, body: thing }
    }
    const thing = things.get(name)
    if (thing?.kind !== kind) return { status: 404 }
    if (method === 'GET') return { status: 200, body: thing.body }
    if (method !== 'DELETE') return { status: 405 }
    if ([...things.values()].some(({ owner }) => owner === name)) return { status: 409 }
    things.delete(name)
    return { status: 204 }
  }
  return { answer, things, loans: () => made }
}

test.each([1, 2])('what was made last is removed first, so nothing stays, with seed %i', async seed => {
  const { answer, things, loans } = serve()
  await verifyAnswering({ paths }, answer, { seed })
  expect(loans()).toBeGreaterThan(10)
  expect([...things.values()].map(({ body }) => body)).toEqual([])
})
