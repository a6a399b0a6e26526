import type { Schema, Store } from './store.ts'

/**
 * What is changed, how, and what follows: the level with the requirement that is violated, or with what is told without one;
 * `old servers` for what they do with clients of the new document.
 */
export type Pair = readonly [name: string, edit: (store: Store) => unknown, ...expected: string[]]

const post = (store: Store) => operation(store, '/plants', 'post')
const list = (store: Store) => operation(store, '/plants', 'get')
const read = (store: Store) => operation(store, '/plants/{id}', 'get')
const operation = ({ paths }: Store, path: string, method: string) => {
  const found = paths[path]?.[method]
  if (found === undefined) throw new Error(`no operation ${method} ${path}`)
  return found
}
const sent = ({ components }: Store): Schema => components.schemas.NewPlant
const kept = ({ components }: Store): Schema => components.schemas.Plant
const parameter = (store: Store, name: string) => {
  const found = list(store).parameters?.find(each => each.name === name)
  if (found === undefined) throw new Error(`no parameter ${name}`)
  return found
}
const drop = (from: object | undefined, name: string): void => {
  if (from === undefined || !Reflect.has(from, name)) throw new Error(`there is no ${name}`)
  Reflect.deleteProperty(from, name)
}

export const pairs: readonly Pair[] = [
  ['operation gone', s => drop(s.paths, '/plants/{id}'), 'breaking the operation is gone'],
  [
    'operation added',
    s => {
      s.paths['/pots'] = { get: { responses: { 200: { description: 'ok' } } } }
    },
    'safe the operation is new',
  ],
  [
    'path parameter renamed',
    s => {
      const item = s.paths['/plants/{id}']
      drop(s.paths, '/plants/{id}')
      s.paths['/plants/{plant}'] = item as never
      for (const each of item?.get?.parameters ?? []) each.name = 'plant'
    },
  ],
  [
    'optional parameter made required',
    s => {
      parameter(s, 'sort').required = true
    },
    'breaking list/request/query/sort/required',
  ],
  [
    'required parameter added',
    s => list(s).parameters?.push({ name: 'q', in: 'query', required: true, schema: { type: 'string' } }),
    'breaking list/request/query/q/required',
  ],
  [
    'required header added',
    s =>
      list(s).parameters?.push({ name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } }),
    'breaking list/request/header/X-Trace/required',
  ],
  [
    'required cookie added',
    s =>
      list(s).parameters?.push({ name: 'session', in: 'cookie', required: true, schema: { type: 'string' } }),
    'breaking list/request/cookie/session/required',
  ],
  [
    'optional parameter added',
    s => list(s).parameters?.push({ name: 'q', in: 'query', required: false, schema: { type: 'string' } }),
  ],
  [
    'parameter removed',
    s => {
      list(s).parameters = list(s).parameters?.slice(1) ?? []
    },
    'risky the query parameter `limit` is no longer declared: a server may ignore it',
  ],
  [
    'required parameter moved from header to query',
    s => {
      parameter(s, 'sort').in = 'header'
    },
    'risky the query parameter `sort` is no longer declared: a server may ignore it',
  ],
  [
    'parameter minimum raised',
    s => {
      parameter(s, 'limit').schema.minimum = 2
    },
    'breaking list/request/query/limit/minimum',
  ],
  [
    'parameter maximum lowered',
    s => {
      parameter(s, 'limit').schema.maximum = 50
    },
    'breaking list/request/query/limit/maximum',
  ],
  [
    'parameter maximum raised',
    s => {
      parameter(s, 'limit').schema.maximum = 200
    },
    'old servers list/request/query/limit/maximum',
  ],
  [
    'parameter type changed',
    s => {
      parameter(s, 'limit').schema = { type: 'boolean' }
    },
    'breaking list/request/query/limit/type/string',
    'old servers list/request/query/limit/type/string',
  ],
  [
    'parameter type widened',
    s => {
      parameter(s, 'limit').schema = { type: 'number', minimum: 1, maximum: 100 }
    },
    'old servers list/request/query/limit/type/string',
  ],
  [
    'parameter enum shrunk',
    s => {
      parameter(s, 'sort').schema.enum = ['name']
    },
    'breaking list/request/query/sort/enum',
  ],
  [
    'parameter enum grown',
    s => {
      parameter(s, 'sort').schema.enum.push('size')
    },
    'old servers list/request/query/sort/enum',
  ],
  [
    'parameter default added',
    s => {
      parameter(s, 'limit').schema.default = 20
    },
  ],
  [
    'parameter default changed',
    s => {
      parameter(s, 'sort').schema.default = 'age'
    },
    'risky what a server takes for a value that is not sent was "name", and is "age"',
  ],
  [
    'parameter items limited',
    s => {
      parameter(s, 'tags').schema.maxItems = 2
    },
    'breaking list/request/query/tags/maxItems',
  ],
  [
    'parameter written with commas',
    s => {
      Object.assign(parameter(s, 'tags'), {
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      })
    },
    'breaking list/request/query/tags/*/enum',
  ],
  [
    'path parameter limited',
    s => {
      for (const each of read(s).parameters ?? []) each.schema.minimum = 1
    },
    'breaking read/request/path/id/minimum',
  ],
  [
    'required property added',
    s => {
      sent(s).required.push('colour')
      sent(s).properties.colour = { type: 'string' }
    },
    'breaking create/request/body/colour/required',
  ],
  [
    'property made required',
    s => {
      sent(s).required.push('kind')
    },
    'breaking create/request/body/kind/required',
  ],
  [
    'property made optional',
    s => {
      sent(s).required = []
    },
    'old servers create/request/body/name/required',
  ],
  [
    'optional property added',
    s => {
      sent(s).properties.colour = { type: 'string' }
    },
  ],
  ['property removed', s => drop(sent(s).properties, 'note')],
  [
    'property removed from a closed body',
    s => {
      drop(sent(s).properties, 'note')
      sent(s).additionalProperties = false
    },
    'breaking create/request/body/additionalProperties',
  ],
  [
    'body closed',
    s => {
      sent(s).additionalProperties = false
    },
  ],
  [
    'property type changed',
    s => {
      sent(s).properties.name = { type: 'integer' }
    },
    'breaking create/request/body/name/type/string',
    'old servers create/request/body/name/type/number',
  ],
  [
    'property made nullable',
    s => {
      sent(s).properties.name.type = ['string', 'null']
    },
    'old servers create/request/body/name/type/null',
  ],
  [
    'property no longer nullable',
    s => {
      sent(s).properties.note.type = 'string'
    },
    'breaking create/request/body/note/type/null',
  ],
  [
    'any value limited to a type',
    s => {
      sent(s).properties.any = { type: 'object' }
    },
    'breaking create/request/body/any/type/number',
  ],
  [
    'minLength raised',
    s => {
      sent(s).properties.name.minLength = 3
    },
    'breaking create/request/body/name/minLength',
  ],
  [
    'minLength lowered',
    s => {
      sent(s).properties.name.minLength = 0
    },
    'old servers create/request/body/name/minLength',
  ],
  [
    'maxLength lowered',
    s => {
      sent(s).properties.name.maxLength = 10
    },
    'breaking create/request/body/name/maxLength',
  ],
  [
    'maxLength raised',
    s => {
      sent(s).properties.name.maxLength = 30
    },
    'old servers create/request/body/name/maxLength',
  ],
  [
    'minimum raised',
    s => {
      sent(s).properties.height.minimum = 1
    },
    'breaking create/request/body/height/minimum',
  ],
  [
    'minimum made exclusive',
    s => {
      drop(sent(s).properties.height, 'minimum')
      sent(s).properties.height.exclusiveMinimum = 0
    },
    'breaking create/request/body/height/exclusiveMinimum',
  ],
  [
    'maximum lowered',
    s => {
      sent(s).properties.height.maximum = 100
    },
    'breaking create/request/body/height/maximum',
  ],
  [
    'multipleOf changed',
    s => {
      sent(s).properties.height.multipleOf = 1
    },
    'breaking create/request/body/height/multipleOf',
  ],
  [
    'multipleOf loosened',
    s => {
      sent(s).properties.height.multipleOf = 0.25
    },
    'old servers create/request/body/height/multipleOf',
  ],
  [
    'pattern tightened',
    s => {
      sent(s).properties.code.pattern = '^[a-y]{3}$'
    },
    'breaking create/request/body/code/pattern',
  ],
  [
    'pattern loosened',
    s => {
      sent(s).properties.code.pattern = '^[a-z]{2,3}$'
    },
    'old servers create/request/body/code/pattern',
  ],
  [
    'pattern written differently',
    s => {
      sent(s).properties.code.pattern = '^[a-z][a-z][a-z]$'
    },
  ],
  [
    'pattern added',
    s => {
      sent(s).properties.name.pattern = '^[^ ]'
    },
    'breaking create/request/body/name/pattern',
  ],
  [
    'format added',
    s => {
      sent(s).properties.code = { type: 'string', format: 'uuid' }
    },
    'breaking create/request/body/code/format',
    'old servers create/request/body/code/pattern',
  ],
  [
    'format removed',
    s => drop(sent(s).properties.born, 'format'),
    'old servers create/request/body/born/format',
  ],
  [
    'format changed',
    s => {
      sent(s).properties.born.format = 'date-time'
    },
    'breaking create/request/body/born/format',
    'old servers create/request/body/born/format',
  ],
  [
    'enum value removed',
    s => {
      sent(s).properties.kind.enum = ['tree']
    },
    'breaking create/request/body/kind/enum',
  ],
  [
    'enum value added',
    s => {
      sent(s).properties.kind.enum.push('moss')
    },
    'old servers create/request/body/kind/enum',
  ],
  ['enum removed', s => drop(sent(s).properties.kind, 'enum'), 'old servers create/request/body/kind/enum'],
  [
    'enum made a constant',
    s => {
      sent(s).properties.kind = { const: 'tree' }
    },
    'breaking create/request/body/kind/const',
  ],
  [
    'minItems raised',
    s => {
      sent(s).properties.tags.minItems = 2
    },
    'breaking create/request/body/tags/minItems',
  ],
  [
    'maxItems lowered',
    s => {
      sent(s).properties.tags.maxItems = 4
    },
    'breaking create/request/body/tags/maxItems',
  ],
  [
    'uniqueItems removed',
    s => {
      sent(s).properties.tags.uniqueItems = false
    },
    'old servers create/request/body/tags/uniqueItems',
  ],
  [
    'items limited',
    s => {
      sent(s).properties.tags.items.minLength = 1
    },
    'breaking create/request/body/tags/*/minLength',
  ],
  [
    'alternative removed',
    s => {
      sent(s).properties.site.oneOf.pop()
    },
    'breaking create/request/body/site/oneOf',
  ],
  [
    'alternative added',
    s => {
      sent(s).properties.site.oneOf.push({ type: 'string' })
    },
    'old servers create/request/body/site/oneOf',
  ],
  [
    'alternative limited',
    s => {
      sent(s).properties.site.oneOf[0].properties.pot.minimum = 1
    },
    'breaking create/request/body/site/oneOf',
  ],
  [
    'map limited',
    s => {
      sent(s).properties.labels.maxProperties = 2
    },
    'breaking create/request/body/labels/maxProperties',
  ],
  [
    'values of a map limited',
    s => {
      sent(s).properties.labels.additionalProperties.maxLength = 5
    },
    'breaking create/request/body/labels/*/maxLength',
  ],
  [
    'property made readOnly',
    s => {
      sent(s).properties.name.readOnly = true
    },
    'old servers create/request/body/name/required',
  ],
  [
    'body made optional',
    s => {
      Object.assign(post(s).requestBody ?? {}, { required: false })
    },
    'old servers create/request/body/required/absent',
  ],
  [
    'request media type gone',
    s => drop(post(s).requestBody?.content, 'application/x-www-form-urlencoded'),
    'breaking create/request/content-type/undeclared',
  ],
  [
    'request media type added',
    s => {
      Object.assign(post(s).requestBody?.content ?? {}, { 'text/plain': { schema: { type: 'string' } } })
    },
    'old servers create/request/content-type/undeclared',
  ],
  [
    'body removed',
    s => drop(post(s), 'requestBody'),
    'risky a request body is no longer declared: a server may ignore it',
    'old servers create/request/body/required/absent',
  ],
  [
    'schema moved',
    s => {
      s.components.schemas.Moved = sent(s)
      s.components.schemas.NewPlant = { $ref: '#/components/schemas/Moved' }
    },
  ],
  [
    'description changed',
    s => {
      sent(s).description = 'other words'
      sent(s).properties.name.example = 'Fern'
    },
  ],
  [
    'success status added',
    s => {
      post(s).responses[202] = { description: 'later' }
    },
    'breaking create/response/declared',
  ],
  [
    'failure status added',
    s => {
      post(s).responses[409] = { description: 'taken' }
    },
    'risky create/response/declared',
  ],
  [
    'success status replaced',
    s => {
      post(s).responses[200] = post(s).responses[201] as never
      drop(post(s).responses, '201')
    },
    'breaking create/response/declared',
    'old servers create/response/declared',
    'safe the response 201 is no longer declared',
  ],
  [
    'failure status removed',
    s => drop(post(s).responses, '400'),
    'old servers create/response/declared',
    'safe the response 400 is no longer declared',
  ],
  [
    'response media type added',
    s => {
      Object.assign(read(s).responses[200]?.content ?? {}, { 'text/html': { schema: { type: 'string' } } })
    },
    'breaking read/response/200/content-type',
  ],
  [
    'response media type gone',
    s => drop(list(s).responses[200]?.content, 'text/csv'),
    'breaking the response 200 no longer comes as text/csv, which a client may ask for',
    'old servers list/response/200/content-type',
  ],
  [
    'response body gone',
    s => drop(read(s).responses[200], 'content'),
    'breaking the response 200 no longer comes as application/json, which a client may ask for',
    'breaking read/response/200/content-type',
  ],
  [
    'required response property removed',
    s => {
      drop(kept(s).properties, 'name')
      kept(s).required = ['id']
    },
    'breaking list/response/200/body/*/name/required',
  ],
  [
    'response property made optional',
    s => {
      kept(s).required = ['id']
    },
    'breaking list/response/200/body/*/name/required',
  ],
  [
    'response property made required',
    s => {
      kept(s).required.push('kind')
    },
    'old servers list/response/200/body/*/kind/required',
  ],
  [
    'optional response property added',
    s => {
      kept(s).properties.colour = { type: 'string' }
    },
  ],
  ['optional response property removed', s => drop(kept(s).properties, 'note')],
  [
    'response type changed',
    s => {
      kept(s).properties.id = { type: 'string' }
    },
    'breaking list/response/200/body/*/id/type',
    'old servers list/response/200/body/*/id/type',
  ],
  [
    'response property made nullable',
    s => {
      kept(s).properties.name.type = ['string', 'null']
    },
    'breaking list/response/200/body/*/name/type',
  ],
  [
    'response property no longer nullable',
    s => {
      kept(s).properties.note.type = 'string'
    },
    'old servers list/response/200/body/*/note/type',
  ],
  [
    'response enum grown',
    s => {
      kept(s).properties.kind.enum.push('moss')
    },
    'breaking list/response/200/body/*/kind/enum',
  ],
  [
    'response enum shrunk',
    s => {
      kept(s).properties.kind.enum = ['tree']
    },
    'old servers list/response/200/body/*/kind/enum',
  ],
  [
    'response maxLength raised',
    s => {
      kept(s).properties.name.maxLength = 30
    },
    'breaking list/response/200/body/*/name/maxLength',
  ],
  [
    'response maxItems removed',
    s => drop(kept(s).properties.tags, 'maxItems'),
    'breaking list/response/200/body/*/tags/maxItems',
  ],
  [
    'nested response property made optional',
    s => {
      kept(s).properties.owner.required = []
    },
    'breaking list/response/200/body/*/owner/name/required',
  ],
  [
    'response property made writeOnly',
    s => {
      kept(s).properties.name.writeOnly = true
    },
    'breaking list/response/200/body/*/name/required',
  ],
  [
    'required response header gone',
    s => drop(list(s).responses[200]?.headers, 'X-Total'),
    'breaking list/response/200/headers/x-total',
  ],
  [
    'required response header made optional',
    s => {
      Object.assign(list(s).responses[200]?.headers?.['X-Total'] ?? {}, { required: false })
    },
    'breaking list/response/200/headers/x-total',
  ],
  [
    'response header type changed',
    s => {
      Object.assign(list(s).responses[200]?.headers?.['X-Total'] ?? {}, { schema: { type: 'boolean' } })
    },
    'breaking list/response/200/headers/x-total',
    'old servers list/response/200/headers/x-total',
  ],
  [
    'response header added',
    s => {
      Object.assign(list(s).responses[200]?.headers ?? {}, {
        'X-Page': { required: true, schema: { type: 'integer' } },
      })
    },
    'old servers list/response/200/headers/x-page',
  ],
  [
    'security added',
    s => {
      read(s).security = [{ bearer: [] }]
    },
    'breaking read/auth/absent',
  ],
  [
    'security alternative added',
    s => {
      read(s).security = [{ bearer: [] }, {}]
    },
  ],
]
