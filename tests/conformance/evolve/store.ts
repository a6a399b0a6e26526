/** A small API, of which each pair of the table changes one thing. */
export const store = () => ({
  openapi: '3.1.0',
  info: { title: 'Store', version: '1' },
  paths: {
    '/plants': {
      get: {
        operationId: 'list',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100 },
          },
          {
            name: 'sort',
            in: 'query',
            required: false,
            schema: { type: 'string', enum: ['name', 'age'], default: 'name' },
          },
          {
            name: 'tags',
            in: 'query',
            required: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ] as Parameter[],
        responses: {
          200: {
            description: 'some',
            headers: {
              'X-Total': { required: true, schema: { type: 'integer' } },
            } as Record<string, { required: boolean; schema: Schema }>,
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Plant' } },
              },
              'text/csv': { schema: { type: 'string' } },
            } as Media,
          },
        } as Responses,
      } as Operation,
      post: {
        operationId: 'create',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/NewPlant' } },
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: {
          201: {
            description: 'created',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
          },
          400: {
            description: 'no',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
      } as Operation,
    },
    '/plants/{id}': {
      get: {
        operationId: 'read',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'one',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
          },
        },
      } as Operation,
    },
  } as Record<string, Record<string, Operation>>,
  components: {
    schemas: {
      NewPlant: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 20 },
          kind: { type: 'string', enum: ['tree', 'herb'] },
          height: { type: 'number', minimum: 0, maximum: 200, multipleOf: 0.5 },
          code: { type: 'string', pattern: '^[a-z]{3}$' },
          born: { type: 'string', format: 'date' },
          note: { type: ['string', 'null'] },
          tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5, uniqueItems: true },
          site: {
            oneOf: [
              {
                type: 'object',
                required: ['pot'],
                properties: { pot: { type: 'integer' } },
                additionalProperties: false,
              },
              {
                type: 'object',
                required: ['bed'],
                properties: { bed: { type: 'string' } },
                additionalProperties: false,
              },
            ],
          },
          labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 3 },
          any: {},
        },
      },
      Plant: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string', maxLength: 20 },
          kind: { type: 'string', enum: ['tree', 'herb'] },
          height: { type: 'number', maximum: 200 },
          note: { type: ['string', 'null'] },
          tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
          owner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
      Error: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    } as Record<string, Schema>,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
})

export type Store = ReturnType<typeof store>
// biome-ignore lint/suspicious/noExplicitAny: what an edit makes of a schema has any form
export type Schema = any
type Media = Record<string, { schema: Schema }>
type Responses = Record<
  string,
  { description: string; headers?: Record<string, { required: boolean; schema: Schema }>; content?: Media }
>
type Parameter = {
  name: string
  in: string
  required: boolean
  schema: Schema
  style?: string
  explode?: boolean
}
type Operation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Media }
  responses: Responses
  security?: Record<string, string[]>[]
}
