/** What a case is about is told only if the same request without that fares better: else the server has another reason, and says so. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { type Finding, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { hasJsonType, strictJson } from '../../strict-json.ts'

type Body = Readonly<Record<string, unknown>>
type Request = {
  readonly operationId: string
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: Body
}
/** A status, and what the server says; no text for a success. */
type Answer = readonly [status: number, message?: string, id?: string | readonly object[]]

const text = { type: 'string' }
const content = {
  'application/json': { schema: { type: 'object', properties: { message: text, id: text } } },
}
const list = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } }
const failure = { description: 'no', content }

/** An operation with these texts in its body, the first ones required. */
const operation = (
  operationId: string,
  parameters: readonly object[],
  fields: Readonly<Record<string, object>> | null,
  required: readonly string[] = [],
  success: object = content,
) => ({
  operationId,
  parameters,
  ...(fields === null
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: fields, required } } },
        },
      }),
  responses: {
    200: { description: 'done', content: success },
    400: failure,
    409: failure,
    415: failure,
    422: failure,
  },
})

const parameter = (part: 'path' | 'query', name: string) => ({
  name,
  in: part,
  required: part === 'path',
  schema: text,
})

type Operation = ReturnType<typeof operation>

/** What is found in a service that reads JSON strictly and follows these rules besides. */
const findingsOf = async (
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  rule: (request: Request) => Answer,
  options: Partial<VerifyOptions> = {},
): Promise<readonly Finding[]> => {
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://test')
    const path = pathname.split('/').slice(1)
    const isPath = (template: string): boolean => {
      const names = template.split('/').slice(1)
      return (
        names.length === path.length &&
        names.every((each, index) => each.startsWith('{') || each === path[index])
      )
    }
    const [, methods] = Object.entries(paths).find(([template]) => isPath(template)) ?? []
    const described = methods?.[request.method?.toLowerCase() ?? '']
    if (methods === undefined) return [404, 'no such path']
    if (described === undefined) return [405]
    const { operationId } = described
    const decoded = { operationId, path: path.map(decodeURIComponent), query }
    const schema = described.requestBody?.content['application/json'].schema
    if (schema === undefined) return rule({ ...decoded, body: {} })
    if (!hasJsonType(request) || request.headers['content-encoding'] !== undefined) return [415, 'media type']
    const body = strictJson(bytes) as Body | null | undefined
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [400, 'no object']
    if (schema.required.some(name => !Object.hasOwn(body, name))) return [400, 'a property is missing']
    const isTexts = Object.keys(schema.properties).every(
      name => !Object.hasOwn(body, name) || typeof body[name] === 'string',
    )
    return isTexts ? rule({ ...decoded, body }) : [400, 'no text']
  }
  const server = createServer(async (request, response) => {
    const [status, message, id] = await answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(id) ? id : { message, id }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('controls.json', documentWith(paths)) })
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 700, ...options })
  return findings
}

const shown = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ obligation, title }) => `${obligation.replace(/^\w+\/(?:request\/)?/, '')}: ${title}`)

const isUuid = (name: string | undefined): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name ?? '')

const isName = (name: string): boolean => /^[A-Za-z0-9][\w.-]+[A-Za-z0-9]$/.test(name)

test('a rule for a name is told once, and neither letters nor the way of sending', async () => {
  const taken = new Set<unknown>()
  const findings = await findingsOf(
    { '/tenants': { post: operation('addTenant', [], { name: text, note: text }, ['name']) } },
    ({ body: { name } }) => {
      if (!isName(String(name)))
        return [400, `Expected a name of 3-512 characters from [\\w.-]. Got: ${name}`]
      if (taken.has(name)) return [409, `Tenant [${name}] already exists`]
      taken.add(name)
      return [200]
    },
  )
  expect(shown(findings)).toEqual([
    'valid: takes only some texts as `name`, without the document saying which',
  ])
  expect(findings[0]?.actual).toContain('Expected a name of 3-512 characters')
})

test('a rule is found also if the server takes each value only once', async () => {
  const pairs = new Set<string>()
  const findings = await findingsOf(
    { '/primaries': { post: operation('addPrimary', [], { ip: text, nameserver: text, account: text }) } },
    ({ body: { ip, nameserver } }) => {
      if (nameserver === undefined || ip === undefined) return [422, "Key 'nameserver' not present"]
      const pair = `${ip} ${nameserver}`
      if (pairs.has(pair)) return [500, 'unique constraint']
      pairs.add(pair)
      return [200]
    },
  )
  const rejected = findings.filter(({ actual }) => actual.startsWith('422'))
  expect(shown(rejected)).toEqual([
    'valid: requires `ip` and `nameserver`, which the document calls optional',
  ])
})

test('an operation that answers 404 to made-up names and rejects all else has accepted nothing', async () => {
  const findings = await findingsOf(
    {
      '/servers': { get: operation('listServers', [], null, [], list) },
      '/servers/{server}': { get: operation('getServer', [parameter('path', 'server')], null) },
      '/servers/{server}/zones': {
        post: operation('addZone', [parameter('path', 'server')], { name: text, note: text }),
      },
      '/servers/{server}/zones/{zone}': {
        get: operation('getZone', [parameter('path', 'server'), parameter('path', 'zone')], null),
      },
    },
    ({ operationId, path }) => {
      if (operationId === 'listServers') return [200, 'done', [{ id: 'localhost' }]]
      if (path[1] !== 'localhost') return [404, 'no such server']
      return operationId === 'addZone' ? [422, 'out of order'] : [path.length > 2 ? 404 : 200]
    },
  )
  expect(shown(findings).toSorted()).toEqual([
    ...Array(3).fill('response/declared: answered 404 to a valid request, an undeclared status'),
    'valid: accepted no valid request (422): «out of order»',
  ])
})

test('a name that nothing has is no reason to reject what stands beside it', async () => {
  const tenant = parameter('path', 'tenant')
  const item = [tenant, parameter('path', 'collection')]
  let left = 4
  const findings = await findingsOf(
    {
      '/tenants/{tenant}/collections': { post: operation('addCollection', [tenant], { name: text }) },
      '/tenants/{tenant}/collections/{collection}': { put: operation('putCollection', item, { note: text }) },
    },
    ({ operationId, path }) => {
      if (operationId === 'putCollection')
        return isUuid(path[3]) ? [200] : [400, 'Collection ID is not a valid UUID']
      left -= 1
      return left < 0 ? [400, 'no more'] : [200, 'done', randomUUID()]
    },
  )
  expect(shown(findings).filter(each => /tenant|note/.test(each))).toEqual([])
})

test('a crash for what does not exist is not put down to the texts of its name', async () => {
  const kernel = [parameter('path', 'kernel')]
  const findings = await findingsOf(
    {
      '/kernels': { get: operation('listKernels', [], null, [], list) },
      '/kernels/{kernel}': { get: operation('getKernel', kernel, null) },
      '/kernels/{kernel}/restart': { get: operation('restartKernel', kernel, null) },
    },
    ({ operationId, path }) => {
      if (operationId === 'listKernels') return [200, 'done', [{ id: 'k1' }]]
      return path[1] === 'k1' ? [200] : [operationId === 'getKernel' ? 400 : 500, 'cannot be restarted']
    },
  )
  expect(
    shown(findings).filter(each => each.includes('takes only some') || each.includes('some texts')),
  ).toEqual([])
})

test('a 404 that any request gets is not put down to a header or a text', async () => {
  const findings = await findingsOf(
    { '/files/{path}': { put: operation('putFile', [parameter('path', 'path')], { format: text }) } },
    ({ path }) => [404, `No such directory: ${path[1]}`],
  )
  for (const each of shown(findings)) expect(each).toMatch(/: answered 404 to a valid request/)
})

test('what could not be sent again is not put down to how it was sent, nor to several things at once', async () => {
  const stop = new AbortController()
  let left = 300
  const findings = await findingsOf(
    { '/notes': { post: operation('addNote', [], { name: text, color: text, shape: text }, ['name']) } },
    ({ body: { color, shape } }) => {
      left -= 1
      if (left === 0) stop.abort()
      return color !== undefined || shape !== undefined ? [400, 'the store is closed today'] : [200]
    },
    { signal: stop.signal },
  )
  const open = findings.filter(({ repeat, actual }) => repeat === 'unrepeated' && actual.includes('closed'))
  for (const each of shown(open)) expect(each).toBe('valid: rejected a valid request')
})

test('the smallest example shows what the server said at first', async () => {
  const findings = await findingsOf(
    {
      '/notes': {
        post: operation('addNote', [parameter('query', 'tag')], { name: text, color: text }, ['name']),
      },
    },
    ({ query, body: { name } }) => {
      if (name === '') return [400, 'the name is blank']
      return query.get('tag')?.includes('%') ? [400, 'no percent in a tag'] : [200]
    },
  )
  const percent = findings.find(({ obligation }) => obligation.endsWith('/query/tag/percent'))
  expect(percent?.actual).toContain('no percent in a tag')
})
