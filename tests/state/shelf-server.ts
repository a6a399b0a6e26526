import { createServer, type IncomingMessage } from 'node:http'
import { listen } from '../listen.ts'

/** A server of shelves, whose names the client chooses, and of the books on them. Each fault is one difference. */
export const shelfFaults: readonly (readonly [fault: string, obligation: string])[] = [
  ['a shelf is forgotten', 'putShelf/state/read-back'],
  ['a shelf loses its boards', 'putShelf/state/stored'],
  ['all shelves are one', 'putShelf/state/apart'],
  ['any shelf is found', 'getShelf/state/unknown'],
  ['a removed shelf is found', 'removeShelf/state/gone'],
  ['removing a shelf removes the others', 'removeShelf/state/apart'],
  ['a removed shelf is removed with a crash', 'removeShelf/state/again'],
  ['a book has another place', 'addBook/state/read-back'],
  ['a book loses its pages', 'addBook/state/stored'],
  ['a book replaces the others', 'addBook/state/apart'],
  ['books go on shelves that do not exist', 'addBook/state/unknown-parent'],
  ['a book is on every shelf', 'getBook/state/elsewhere'],
  ['any book is found', 'getBook/state/unknown'],
  ['the list is that of another shelf', 'listBooks/state/contains'],
  ['a removed book is found', 'removeBook/state/gone'],
  ['a removed book is listed', 'removeBook/state/unlisted'],
  ['removing a book empties the shelf', 'removeBook/state/apart'],
]

export type ShelfServer = {
  readonly url: string
  readonly close: () => Promise<void>
  readonly size: () => number
}

type Fields = Record<string, unknown>
type ItemsByKey = { fields: Fields; readonly books: Map<string, Fields> }

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const bodyOf = async (request: IncomingMessage): Promise<Fields | null> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

const only = (body: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap(name => (Object.hasOwn(body, name) ? [[name, body[name]]] : [])))

const isText = (value: unknown): boolean => typeof value === 'string' && [...value].length <= 200
const isCount = (value: unknown, most: number): boolean =>
  value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)

export const startShelves = async (fault = ''): Promise<ShelfServer> => {
  const is = (name: string): boolean => name === fault
  const shelves = new Map<string, ItemsByKey>()
  const removed = new Set<string>()
  let next = 0
  const server = createServer((request, response) => {
    const send = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      if (body === undefined) response.writeHead(status, headers).end()
      else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    }
    const fail = (status: number): void => send(status, { error: `status ${status}` })
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://shelves.test')
      const [, root, encoded = '', books, bookId, ...rest] = pathname.split('/')
      const { method } = request
      const body = await bodyOf(request)
      if (root !== 'shelves' || encoded === '' || rest.length > 0 || (books ?? 'books') !== 'books')
        return fail(404)
      const name = is('all shelves are one') ? 'one' : decodeURIComponent(encoded)
      if ([...name].length > 60) return fail(method === 'PUT' ? 400 : 404)
      const shelf = shelves.get(name)

      if (books === undefined && method === 'PUT') {
        if (body === null || !isText(body.room) || !isCount(body.boards, 20)) return fail(400)
        const fields = only(body, 'room', 'boards')
        const kept = is('a shelf loses its boards') ? only(body, 'room') : fields
        if (!is('a shelf is forgotten')) shelves.set(name, { fields: kept, books: shelf?.books ?? new Map() })
        return send(shelf === undefined ? 201 : 200, fields)
      }
      if (books === undefined && method === 'GET') {
        if (
          shelf === undefined &&
          (is('any shelf is found') || (is('a removed shelf is found') && removed.has(name)))
        )
          return send(200, { room: 'any' })
        return shelf === undefined ? fail(404) : send(200, shelf.fields)
      }
      if (books === undefined && method === 'DELETE') {
        if (shelf === undefined)
          return fail(is('a removed shelf is removed with a crash') && removed.has(name) ? 500 : 404)
        shelves.delete(name)
        removed.add(name)
        if (is('removing a shelf removes the others')) shelves.clear()
        return send(204)
      }
      if (bookId === undefined && method === 'POST') {
        if (body === null || !isText(body.title) || !isCount(body.pages, 5000)) return fail(400)
        if (shelf === undefined && !is('books go on shelves that do not exist')) return fail(404)
        const id = `00000000-0000-4000-8000-${(next++).toString(16).padStart(12, '0')}`
        if (is('a book replaces the others')) shelf?.books.clear()
        shelf?.books.set(id, {
          ...(is('a book loses its pages') ? only(body, 'title') : only(body, 'title', 'pages')),
          bookId: id,
        })
        const told = is('a book has another place') ? '11111111-0000-4000-8000-000000000000' : id
        return send(201, undefined, { Location: `/shelves/${encoded}/books/${told}` })
      }
      if (bookId === undefined && method === 'GET') {
        if (shelf === undefined) return fail(404)
        const from = is('the list is that of another shelf') ? [...shelves.values()].at(-2) : shelf
        return send(
          200,
          [...(from ?? shelf).books.values()].map(book => only(book, 'bookId', 'title', 'pages')),
        )
      }
      if (bookId !== undefined && !uuid.test(bookId)) return fail(400)
      const id = (bookId ?? '').toLowerCase()
      const everywhere = [...shelves.values()]
        .map(other => other.books.get(id))
        .find(found => found !== undefined)
      const book = is('a book is on every shelf') ? everywhere : shelf?.books.get(id)
      if (method === 'GET') {
        if (
          book === undefined &&
          (is('any book is found') || (is('a removed book is found') && removed.has(id)))
        )
          return send(200, { bookId: id, title: 'any' })
        return book === undefined || book.isRemoved === true
          ? fail(404)
          : send(200, only(book, 'bookId', 'title', 'pages'))
      }
      if (method === 'DELETE') {
        if (book === undefined || book.isRemoved === true) return fail(404)
        removed.add(id)
        if (is('a removed book is listed')) book.isRemoved = true
        else shelf?.books.delete(id)
        if (is('removing a book empties the shelf')) shelf?.books.clear()
        return send(204)
      }
      response.setHeader('Allow', 'GET, DELETE')
      fail(405)
    })().catch(() => fail(400))
  })
  return { ...(await listen(server)), size: () => shelves.size }
}
