import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

/** What a server of `signupDocument` may do differently. */
export type Habits = {
  readonly convertsLoosely?: boolean
  readonly missesNothing?: boolean
  readonly takesUndeclared?: boolean
  readonly takesAnyMedia?: boolean
  readonly keepsPluses?: boolean
  readonly keepsOneTopic?: boolean
  readonly wantsUrlencodedBytes?: boolean
}

const json = (schema: object) => ({ 'application/json': { schema } })

/** Writes a document with one operation that takes a form with these required fields. Returns its path. */
export const signupDocument = (required: readonly string[]): string =>
  writeDocument(
    'signups.json',
    documentWith({
      '/signups': {
        post: {
          operationId: 'signUp',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: required.map(field => field.replace(/\[.*/, '')),
                  properties: {
                    name: { type: 'string', minLength: 1 },
                    age: { type: 'integer', minimum: 0, maximum: 150 },
                    news: { type: 'boolean' },
                    topics: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1 } },
                    address: {
                      type: 'object',
                      additionalProperties: false,
                      properties: { town: { type: 'string' } },
                    },
                  },
                },
                encoding: { address: { style: 'deepObject', explode: true } },
              },
            },
          },
          responses: {
            200: {
              description: 'signed up',
              content: json({
                type: 'object',
                properties: {
                  name: { type: 'string' },
                  topics: { type: 'array', items: { type: 'string' } },
                },
              }),
            },
            400: {
              description: 'rejected',
              content: json({
                type: 'object',
                required: ['error'],
                properties: { error: { type: 'string' } },
              }),
            },
          },
        },
      },
    }),
  )

/** Starts a server of that document that shares no code with the toolkit: it reads forms with URLSearchParams. */
export const startSignups = async (
  required: readonly string[],
  habits: Habits = {},
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer(async (request, response) => {
    if (request.url !== '/signups') return respond(response, 404, { error: 'not found' })
    if (request.method !== 'POST') return respond(response, 405, { error: 'POST only' })
    const fault = await faultOf(request, required, habits)
    return typeof fault === 'string'
      ? respond(response, 400, { error: fault })
      : respond(response, 200, fault)
  })
  return listen(server)
}

const respond = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** What is wrong with a request, in words; else the body of the response. */
const faultOf = async (
  request: IncomingMessage,
  required: readonly string[],
  habits: Habits,
): Promise<string | object> => {
  const type = request.headers['content-type'] ?? ''
  const text = Buffer.concat(await Array.fromAsync(request)).toString()
  if (!habits.takesAnyMedia && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return 'the type'
  if (habits.wantsUrlencodedBytes && text === '') return 'no body'
  const form = new URLSearchParams(habits.keepsPluses ? text.replaceAll('%20', '%2B') : text)
  const [name, age, news, topics] = [
    form.get('name'),
    form.get('age'),
    form.get('news'),
    form.getAll('topics'),
  ]
  if (!habits.missesNothing && required.some(field => !form.has(field))) return 'a field is missing'
  if (name === '' || topics.includes('') || topics.length > 3) return 'a text is empty, or there are too many'
  const number = habits.convertsLoosely ? Number.parseInt(age ?? '0', 10) || 0 : Number(age ?? 0)
  if (age !== null && !habits.convertsLoosely && !/^-?\d+$/.test(age)) return 'age is not a number'
  if (!(number >= 0 && number <= 150)) return 'age is out of range'
  if (news !== null && news !== 'true' && news !== 'false') return 'news is neither true nor false'
  const known = ['name', 'age', 'news', 'topics', 'address[town]']
  if (!habits.takesUndeclared && [...form.keys()].some(key => !known.includes(key))) return 'an unknown field'
  return {
    ...(name === null ? {} : { name }),
    ...(topics.length === 0 ? {} : { topics: habits.keepsOneTopic ? topics.slice(-1) : topics }),
  }
}
