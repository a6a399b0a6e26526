/** A server that says 401 of what is not there: nothing is wrong with the token then. */
import { expect, test } from 'vitest'
import { shown, verifyAnswering } from '../judge/answering.ts'

const security = [{ user: [] }]
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const missing = { description: 'rejected' }
const document = {
  paths: {
    '/folders': {
      get: { operationId: 'listFolders', security, responses: { 200: shown({}), 401: missing } },
    },
    '/chats/{id}/tags': {
      parameters: [id],
      get: { operationId: 'readTags', security, responses: { 200: shown({}), 401: missing } },
    },
  },
  rest: { components: { securitySchemes: { user: { type: 'http', scheme: 'bearer' } } } },
}

const reasonWith = async (detail: string): Promise<string> => {
  const { entries } = await verifyAnswering(
    document,
    ({ url, headers }) => {
      if (headers.authorization !== 'Bearer right')
        return { status: 401, body: { detail: 'Not authenticated' } }
      return url.pathname === '/folders' ? { status: 200, body: {} } : { status: 401, body: { detail } }
    },
    { token: 'right' },
  )
  const { verdict } = entries.find(each => each.obligation.id === 'readTags/request/valid') ?? {}
  return verdict !== undefined && 'reason' in verdict ? verdict.reason : JSON.stringify(verdict)
}

test.each(["We could not find what you're looking for", 'Chat does not exist', 'Not found'])(
  '401 with "%s" asks for a name',
  async detail => {
    expect(await reasonWith(detail)).toMatch(/no operation creates or lists what .* asks for/)
  },
)

test.each(['Token not found', 'No such user', 'Something went wrong'])(
  '401 with "%s" is about the token',
  async detail => {
    expect(await reasonWith(detail)).toContain('the server rejects the token (401)')
  },
)
