// A library, as the documentation of Fastify writes one: schemas by TypeBox, the document by @fastify/swagger.

import { randomUUID } from 'node:crypto'
import formbody from '@fastify/formbody'
import multipart, { ajvFilePlugin } from '@fastify/multipart'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { Type } from 'typebox'

const app = Fastify({ ajv: { plugins: [ajvFilePlugin] } })

await app.register(swagger, {
  openapi: {
    openapi: '3.0.3',
    info: { title: 'Library', version: '1.0.0' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', name: 'x-api-key', in: 'header' },
      },
    },
  },
})
await app.register(formbody)
await app.register(multipart, { attachFieldsToBody: true })

const Nullable = schema => Type.Union([schema, Type.Null()])

const BookIn = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 120 }),
  isbn: Type.Optional(Type.String({ pattern: '^[0-9]{13}$' })),
  pages: Type.Integer({ minimum: 1, maximum: 20000 }),
  rating: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 5 }))),
  genre: Type.Union([Type.Literal('novel'), Type.Literal('poetry'), Type.Literal('science')]),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 10, uniqueItems: true })),
  publishedOn: Type.Optional(Type.String({ format: 'date' })),
})
const Book = Type.Object({
  id: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  ...BookIn.properties,
})
const Problem = Type.Object({
  statusCode: Type.Integer(),
  error: Type.String(),
  message: Type.String(),
  code: Type.Optional(Type.String()),
})
const BookParams = Type.Object({ bookId: Type.Integer({ minimum: 1 }) })
const Fine = Type.Union([
  Type.Object({ kind: Type.Literal('late'), days: Type.Integer({ minimum: 1 }) }),
  Type.Object({ kind: Type.Literal('damage'), note: Type.String({ minLength: 3 }) }),
])

const books = new Map()
const loans = new Map()
let lastBook = 0

const notFound = reply =>
  reply.code(404).send({ statusCode: 404, error: 'Not Found', message: 'no such thing' })
const authenticate = async (request, reply) => {
  if (request.headers.authorization !== 'Bearer secret-token')
    return reply
      .code(401)
      .header('www-authenticate', 'Bearer')
      .send({ statusCode: 401, error: 'Unauthorized', message: 'log in first' })
}
const checkKey = async (request, reply) => {
  if (request.headers['x-api-key'] !== 'secret-token')
    return reply.code(401).send({ statusCode: 401, error: 'Unauthorized', message: 'a key is needed' })
}
const secured = { onRequest: authenticate }
const security = [{ bearer: [] }]

app.get(
  '/books',
  {
    schema: {
      operationId: 'listBooks',
      querystring: Type.Object({
        page: Type.Integer({ minimum: 1, maximum: 10000, default: 1 }),
        pageSize: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
        genre: Type.Optional(
          Type.Array(Type.Union([Type.Literal('novel'), Type.Literal('poetry'), Type.Literal('science')])),
        ),
        q: Type.Optional(Type.String({ maxLength: 40 })),
        publishedAfter: Type.Optional(Type.String({ format: 'date' })),
        minRating: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
        available: Type.Optional(Type.Boolean()),
      }),
      response: {
        200: Type.Object({
          items: Type.Array(Book),
          page: Type.Integer(),
          pageSize: Type.Integer(),
          total: Type.Integer(),
        }),
        400: Problem,
      },
    },
  },
  async ({ query }) => {
    const found = [...books.values()].filter(
      book =>
        (query.q === undefined || book.title.includes(query.q)) &&
        (query.genre === undefined || query.genre.includes(book.genre)),
    )
    const start = (query.page - 1) * query.pageSize
    return {
      items: found.slice(start, start + query.pageSize),
      page: query.page,
      pageSize: query.pageSize,
      total: found.length,
    }
  },
)

app.post(
  '/books',
  {
    ...secured,
    schema: {
      operationId: 'addBook',
      security,
      body: BookIn,
      response: { 201: Book, 400: Problem, 401: Problem },
    },
  },
  async ({ body }, reply) => {
    lastBook += 1
    const book = { id: lastBook, createdAt: new Date().toISOString(), ...body }
    books.set(book.id, book)
    return reply.code(201).send(book)
  },
)

app.get(
  '/books/:bookId',
  {
    schema: {
      operationId: 'getBook',
      params: BookParams,
      response: { 200: Book, 400: Problem, 404: Problem },
    },
  },
  async ({ params }, reply) => books.get(params.bookId) ?? notFound(reply),
)

app.put(
  '/books/:bookId',
  {
    ...secured,
    schema: {
      operationId: 'replaceBook',
      security,
      params: BookParams,
      body: BookIn,
      response: { 200: Book, 400: Problem, 401: Problem, 404: Problem },
    },
  },
  async ({ params, body }, reply) => {
    const old = books.get(params.bookId)
    if (old === undefined) return notFound(reply)
    const book = { id: old.id, createdAt: old.createdAt, ...body }
    books.set(book.id, book)
    return book
  },
)

app.patch(
  '/books/:bookId',
  {
    ...secured,
    schema: {
      operationId: 'changeBook',
      security,
      params: BookParams,
      body: Type.Partial(BookIn),
      response: { 200: Book, 400: Problem, 401: Problem, 404: Problem },
    },
  },
  async ({ params, body }, reply) => {
    const old = books.get(params.bookId)
    if (old === undefined) return notFound(reply)
    const book = { ...old, ...body }
    books.set(book.id, book)
    return book
  },
)

app.delete(
  '/books/:bookId',
  {
    ...secured,
    schema: {
      operationId: 'removeBook',
      security,
      params: BookParams,
      response: { 204: Type.Null(), 400: Problem, 401: Problem, 404: Problem },
    },
  },
  async ({ params }, reply) => (books.delete(params.bookId) ? reply.code(204).send() : notFound(reply)),
)

app.post(
  '/books/:bookId/cover',
  {
    schema: {
      operationId: 'uploadCover',
      consumes: ['multipart/form-data'],
      params: BookParams,
      body: {
        type: 'object',
        required: ['cover'],
        properties: {
          cover: { isFile: true },
          alt: { type: 'object', properties: { value: { type: 'string' } } },
        },
      },
      response: { 200: Type.Object({ bytes: Type.Integer() }), 400: Problem, 404: Problem },
    },
  },
  async ({ params, body }, reply) => {
    if (!books.has(params.bookId)) return notFound(reply)
    return { bytes: (await body.cover.toBuffer()).length }
  },
)

app.post(
  '/loans',
  {
    schema: {
      operationId: 'lend',
      body: Type.Object(
        {
          bookId: Type.Integer({ minimum: 1 }),
          until: Type.String({ format: 'date-time' }),
          fine: Type.Optional(Fine),
          note: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
        },
        { additionalProperties: false },
      ),
      response: {
        201: Type.Object({
          id: Type.String({ format: 'uuid' }),
          bookId: Type.Integer(),
          until: Type.String(),
        }),
        400: Problem,
      },
    },
  },
  async ({ body }, reply) => {
    const loan = { id: randomUUID(), ...body }
    loans.set(loan.id, loan)
    return reply.code(201).send(loan)
  },
)

app.get(
  '/loans/:loanId',
  {
    schema: {
      operationId: 'getLoan',
      params: Type.Object({ loanId: Type.String({ format: 'uuid' }) }),
      response: {
        200: Type.Object({
          id: Type.String({ format: 'uuid' }),
          bookId: Type.Integer(),
          until: Type.String(),
        }),
        400: Problem,
        404: Problem,
      },
    },
  },
  async ({ params }, reply) => loans.get(params.loanId) ?? notFound(reply),
)

app.post(
  '/sessions',
  {
    schema: {
      operationId: 'logIn',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({
        user: Type.String({ minLength: 1 }),
        password: Type.String({ minLength: 6 }),
        remember: Type.Optional(Type.Boolean()),
      }),
      response: { 200: Type.Object({ token: Type.String() }), 400: Problem },
    },
  },
  async () => ({ token: 'secret-token' }),
)

app.get(
  '/stats',
  {
    onRequest: checkKey,
    schema: {
      operationId: 'stats',
      security: [{ apiKey: [] }],
      headers: Type.Object({
        'x-request-id': Type.Optional(Type.String({ format: 'uuid' })),
        'x-depth': Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
      }),
      response: {
        200: Type.Object({ books: Type.Integer(), loans: Type.Integer() }),
        400: Problem,
        401: Problem,
      },
    },
  },
  async () => ({ books: books.size, loans: loans.size }),
)

app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
