import { documentWith, writeDocument } from '../../spec/contracts.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const failed = {
  description: 'rejected',
  content: json({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }),
}
const text = { type: 'string' }
const deep = { style: 'deepObject', explode: true }

const image = {
  operationId: 'putImage',
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file', 'alt'],
          properties: {
            file: { type: 'string', format: 'binary' },
            alt: { type: 'string', minLength: 1, maxLength: 20 },
            width: { type: 'integer', minimum: 1 },
            tags: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1 } },
            meta: { type: 'object', required: ['by'], properties: { by: text, stars: { type: 'integer' } } },
          },
        },
        encoding: {
          file: {
            contentType: 'image/png, image/gif',
            headers: { 'X-Checksum': { required: true, schema: { type: 'string', minLength: 1 } } },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'stored',
      content: json({
        type: 'object',
        required: ['alt', 'bytes'],
        properties: { alt: text, bytes: { type: 'integer' }, tags: { type: 'array', items: text } },
      }),
    },
    422: failed,
  },
}

const pet = { schema: { $ref: '#/components/schemas/Pet' } }
const addPet = {
  operationId: 'addPet',
  requestBody: { required: true, content: { 'application/xml': pet } },
  responses: { 201: { description: 'added', content: { 'application/xml': pet } }, 400: failed },
}

const order = {
  operationId: 'order',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['customer', 'lines'],
          properties: {
            customer: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', minLength: 1 },
                address: { type: 'object', required: ['town'], properties: { town: text } },
              },
            },
            lines: {
              type: 'array',
              maxItems: 3,
              items: {
                type: 'object',
                required: ['sku'],
                properties: { sku: { type: 'string', minLength: 1 }, count: { type: 'integer', minimum: 1 } },
              },
            },
          },
        },
        encoding: { customer: deep, lines: deep },
      },
    },
  },
  responses: { 200: { description: 'ordered', content: json({ type: 'object' }) }, 400: failed },
}

const note = {
  operationId: 'note',
  requestBody: {
    required: true,
    content: { 'text/plain': { schema: { type: 'string', minLength: 2, maxLength: 30 } } },
  },
  responses: {
    200: {
      description: 'noted',
      content: { 'text/plain': { schema: { type: 'string', pattern: '^noted ', maxLength: 12 } } },
    },
    400: failed,
  },
}

const schemas = {
  Pet: {
    type: 'object',
    required: ['chip', 'name', 'photos'],
    xml: { name: 'pet', namespace: 'urn:pets' },
    properties: {
      chip: { type: 'string', format: 'uuid', xml: { attribute: true } },
      name: { type: 'string', minLength: 1, xml: { name: 'petName' } },
      age: { type: 'integer', minimum: 0 },
      status: { type: 'string', enum: ['free', 'sold'] },
      photos: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', xml: { name: 'photo' } },
        xml: { wrapped: true },
      },
    },
  },
}

/** Writes a document with one operation for each kind of body that is not JSON. Returns its path. */
export const mediaDocument = (): string =>
  writeDocument(
    'media.json',
    documentWith(
      {
        '/image': { put: image },
        '/pets': { post: addPet },
        '/orders': { post: order },
        '/note': { put: note },
      },
      { components: { schemas } },
    ),
  )
