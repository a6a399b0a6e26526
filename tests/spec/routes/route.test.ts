import { expect, test } from 'vitest'
import { createRouter, loadContract, type Route } from '../../../spec/index.ts'
import { cpuTime } from '../../cpu-time.ts'
import { contracts, documentWith, writeDocument } from '../contracts.ts'

const textOf = (route: Route): string =>
  route.kind === 'operation'
    ? `${route.operation.id} ${JSON.stringify(route.path)}`
    : route.kind === 'no-method'
      ? `only ${route.allow.join(' ')}`
      : 'nothing'

test.each([
  ['GET', '/books', 'listBooks {}'],
  ['GET', '/books/7', 'getBook {"bookId":"7"}'],
  ['DELETE', '/books/%2F', 'removeBook {"bookId":"%2F"}'],
  ['GET', '/books/7/text', 'get-books-bookId-text {"bookId":"7"}'],
  ['PATCH', '/books/7', 'only GET DELETE'],
  ['GET', '/books/', 'nothing'],
  ['GET', '/books/7/text/', 'nothing'],
  ['GET', '//books', 'nothing'],
  ['GET', '', 'nothing'],
  ['get', '/books', 'only GET'],
])('%s %s goes to %s', (method, path, expected) => {
  expect(textOf(createRouter(contracts.library)(method, path))).toBe(expected)
})

test('literal segments win over templates, and characters of regular expressions are literal', async () => {
  const get = (operationId: string) => ({ get: { operationId, responses: { 200: { description: 'ok' } } } })
  const parameters = [{ name: 'x', in: 'path', required: true, schema: { type: 'string' } }]
  const from = writeDocument(
    'routes.json',
    documentWith({
      '/a/{x}': { parameters, ...get('any') },
      '/a/mine': get('mine'),
      '/a/{z}': { delete: { ...get('remove').get, parameters: [{ ...parameters[0], name: 'z' }] } },
      '/a/{x}.json': { parameters, ...get('json') },
      '/a/{x}.{y}': { parameters: [...parameters, { ...parameters[0], name: 'y' }], ...get('typed') },
      '/b.c(d)/{x}': { parameters, ...get('marks') },
    }),
  )
  const route = createRouter(await loadContract({ from }))
  expect(textOf(route('GET', '/a/mine'))).toBe('mine {}')
  expect(textOf(route('DELETE', '/a/mine'))).toBe('remove {"z":"mine"}')
  expect(textOf(route('PUT', '/a/mine'))).toBe('only GET')
  expect(textOf(route('GET', '/a/other'))).toBe('any {"x":"other"}')
  expect(textOf(route('GET', '/a/other.json'))).toBe('json {"x":"other"}')
  expect(textOf(route('GET', '/a/other.text'))).toBe('typed {"x":"other","y":"text"}')
  expect(textOf(route('GET', '/b.c(d)/1'))).toBe('marks {"x":"1"}')
  expect(textOf(route('GET', '/bxc(d)/1'))).toBe('nothing')
})

test('paths that differ only in parameter names are one path, and each method keeps its names', async () => {
  const operation = (operationId: string, name: string) => ({
    operationId,
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'ok' } },
  })
  const from = writeDocument(
    'twins.json',
    documentWith({
      '/a/{digest}/{x}': {
        get: {
          ...operation('deep', 'digest'),
          parameters: ['digest', 'x'].map(name => ({
            name,
            in: 'path',
            required: true,
            schema: { type: 'string' },
          })),
        },
      },
      '/a/{digest}': { get: operation('read', 'digest') },
      '/a/{id}': { delete: operation('remove', 'id') },
      '/{y}/b': { get: operation('other', 'y') },
    }),
  )
  const route = createRouter(await loadContract({ from }))
  expect(textOf(route('GET', '/a/1'))).toBe('read {"digest":"1"}')
  expect(textOf(route('DELETE', '/a/1'))).toBe('remove {"id":"1"}')
  expect(textOf(route('PUT', '/a/1'))).toBe('only GET DELETE')
  expect(textOf(route('GET', '/a/1/2'))).toBe('deep {"digest":"1","x":"2"}')
  expect(textOf(route('GET', '/c/b'))).toBe('other {"y":"c"}')
  expect(textOf(route('GET', '/a//'))).toBe('nothing')
})

test('of several parameters in one segment the first takes most, and a long path is read at once', async () => {
  const from = writeDocument(
    'tiles.json',
    documentWith({
      '/tiles/{z}-{x}-{y}.png': {
        get: {
          operationId: 'getTile',
          parameters: ['x', 'y', 'z'].map(name => ({
            name,
            in: 'path',
            required: true,
            schema: { type: 'string' },
          })),
          responses: { 200: { description: 'ok' } },
        },
      },
    }),
  )
  const route = createRouter(await loadContract({ from }))
  expect(textOf(route('GET', '/tiles/1-2-3-4.png'))).toBe('getTile {"z":"1-2","x":"3","y":"4"}')
  expect(textOf(route('GET', '/tiles/1---3.png'))).toBe('getTile {"z":"1","x":"-","y":"3"}')
  expect(textOf(route('GET', '/tiles/1-2.png'))).toBe('nothing')
  const began = cpuTime()
  expect(textOf(route('GET', `/tiles/${'-'.repeat(16_000)}`))).toBe('nothing')
  expect(textOf(route('GET', `/tiles/${'-'.repeat(16_000)}\n.png`))).toContain('getTile')
  expect(cpuTime() - began).toBeLessThan(500)
})
