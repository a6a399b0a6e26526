import { documentWith, writeDocument } from '../../spec/contracts.ts'

const content = (schema: object): object => ({ 'application/json': { schema } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const product = {
  type: 'object',
  required: ['id', 'name', 'price'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, price: { type: 'number', minimum: 0 } },
}
const failure = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
}
const failures = { 400: { description: 'no', content: content(failure) } }

/** A document with a list, resources, and what answers need: headers, statuses without a body, several media types. */
export const shopDocument = (): string =>
  writeDocument(
    'shop.json',
    documentWith({
      '/products': {
        get: {
          operationId: 'listProducts',
          parameters: [
            { name: 'category', in: 'query', schema: { type: 'string' } },
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          ],
          responses: {
            200: {
              description: 'ok',
              headers: { 'X-Total-Count': { required: true, schema: { type: 'integer' } } },
              content: content({
                type: 'object',
                required: ['items'],
                properties: { items: { type: 'array', items: product } },
              }),
            },
            ...failures,
          },
        },
        post: {
          operationId: 'createProduct',
          requestBody: {
            required: true,
            content: content({
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, tags: { type: 'array' }, size: { type: 'object' } },
            }),
          },
          responses: { 201: { description: 'ok', content: content(product) }, ...failures },
        },
      },
      '/products/{id}': {
        get: {
          operationId: 'getProduct',
          parameters: [id],
          responses: {
            200: {
              description: 'ok',
              content: { ...content(product), 'text/csv': { schema: { type: 'string' } } },
            },
            404: { description: 'none', content: content(failure) },
            ...failures,
          },
        },
        delete: {
          operationId: 'deleteProduct',
          parameters: [id],
          responses: { 204: { description: 'gone' }, ...failures },
        },
      },
    }),
  )
