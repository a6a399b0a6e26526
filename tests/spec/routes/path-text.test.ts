/** A declared path is a template of a URI: it is sent encoded, and any encoding of it is the same path. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodedTemplate, loadContract } from '../../../spec/index.ts'
import { createRouter, pathValues } from '../../../spec/routes/route.ts'
import { documentWith, writeDocument } from '../contracts.ts'

test.each([
  ['/Wörter/{id}', '/W%C3%B6rter/{id}'],
  ['/日本', '/%E6%97%A5%E6%9C%AC'],
  ['/with space', '/with%20space'],
  ['/a"b<c>d^e|f`g\\h', '/a%22b%3Cc%3Ed%5Ee%7Cf%60g%5Ch'],
  ['/enc%C3%B6/%7E', '/enc%C3%B6/%7E'],
  ['/100%', '/100%25'],
  ["/items('{id}')/a:b@c;d=e,f", "/items('{id}')/a:b@c;d=e,f"],
  ['/{größe}.{typ}', '/{größe}.{typ}'],
  ['/a{b', '/a%7Bb'],
  ['/\u017f\u212a', '/%C5%BF%E2%84%AA'],
])('%s is sent as %s', (template, sent) => {
  expect(encodedTemplate(template)).toBe(sent)
  expect(encodedTemplate(encodedTemplate(template))).toBe(sent)
})

const routerOf = async (...paths: readonly string[]) => {
  const entries = paths.map(path => {
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    const parameters = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
    return [path, { get: { operationId: path, parameters, responses: { 200: { description: 'ok' } } } }]
  })
  const from = writeDocument('paths.json', documentWith(Object.fromEntries(entries)))
  return createRouter(await loadContract({ from }))
}

test('what is the same path by RFC 3986 goes to the same operation', async () => {
  const find = await routerOf('/Wörter/{id}', '/a b', '/enc%c3%b6', "/items('{id}')", '/x|y', '/p%2Fq')
  const routes: readonly (readonly [sent: string, operation: string | null, values?: object])[] = [
    ['/W%C3%B6rter/1', '/Wörter/{id}', { id: '1' }],
    ['/W%c3%b6rter/%2c', '/Wörter/{id}', { id: '%2C' }],
    ['/%57%C3%B6rter/a,b', '/Wörter/{id}', { id: 'a,b' }],
    ['/a%20b', '/a b'],
    ['/enc%C3%B6', '/enc%c3%b6'],
    ['/enc%C3%b6', '/enc%c3%b6'],
    ["/items('7')", "/items('{id}')", { id: '7' }],
    ['/items%28%277%27%29', "/items('{id}')", { id: '7' }],
    ['/x|y', '/x|y'],
    ['/x%7cy', '/x|y'],
    ['/p%2fq', '/p%2Fq'],
    ['/p/q', null],
    ['/a+b', null],
    ['/Worter/1', null],
  ]
  for (const [sent, operation, values = {}] of routes) {
    const route = find('GET', sent)
    const found = route.kind === 'operation' ? [route.operation.path, route.path] : [null, {}]
    expect(found, sent).toEqual([operation, values])
  }
})

test('whatever letters a declared path has, it is found as it is sent, and with each character escaped', async () => {
  const character = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    fc.constantFrom(...'"<>^|`\\ \'()!*,;=:@$&+~-._%äß日'),
  )
  const literal = fc
    .array(character, { minLength: 1, maxLength: 6 })
    .map(all => all.join(''))
    .filter(text => !/[{}/?#]|%(?![0-9a-f]{2})|^\.+$/i.test(text) && text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(literal, literal, async (first, last) => {
      const template = `/${first}/{x}/${last}`
      const find = await routerOf(template)
      const sent = encodedTemplate(template).replace('{x}', 'v%20w')
      const small = sent.replace(/%[0-9A-F]{2}/g, each => each.toLowerCase())
      const escaped = sent.replace(/%..|[^/]/g, part =>
        part.length > 1 ? part : `%${part.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      for (const path of [sent, small, escaped]) {
        const route = find('GET', path)
        expect(route.kind, path).toBe('operation')
        if (route.kind === 'operation') expect(decodeURIComponent(route.path.x ?? '')).toBe('v w')
        expect(decodeURIComponent(pathValues(template, path).x ?? '')).toBe('v w')
      }
    }),
    { numRuns: 60 },
  )
})
