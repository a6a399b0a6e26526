import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import {
  DocumentError,
  loadContract,
  obligationsOf,
  parseJson,
  type RefOptions,
} from '../../../spec/index.ts'
import { brokenFolder, documentPath, ordersDocument } from '../../documents/index.ts'
import { contracts, documentWith, writeDocument } from '../contracts.ts'

/** Why a document is rejected, if everything that is wrong with it is an error. */
const problemOf = async (from: string, refs: RefOptions = {}): Promise<string> => {
  const error = await loadContract({ strictDocument: true, ...refs, from }).then(
    () => null,
    (problem: unknown) => problem,
  )
  if (!(error instanceof DocumentError)) throw error ?? new Error(`${from} is loaded`)
  return error.message
}

/** Serves texts by path on a free port. Returns the base URL. */
const serveTexts = async (texts: Readonly<Record<string, string>>): Promise<string> => {
  const server = createServer((request, response) => {
    const text = texts[request.url ?? '']
    response.statusCode = text === undefined ? 404 : 200
    response.end(text?.replaceAll('BASE', `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('each problem of a broken document gets one line', async () => {
  const lines: string[] = []
  for (const name of readdirSync(brokenFolder).sort()) {
    const message = await problemOf(join(brokenFolder, name))
    expect(message).not.toMatch(/\n\s+at |undefined|\[object/)
    lines.push(`== ${name}`, message.replaceAll(`${relative(process.cwd(), brokenFolder)}/`, ''))
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/problems.txt')
})

test('what is left of a broken document is used, and what is not is told', async () => {
  const lines: string[] = []
  for (const name of readdirSync(brokenFolder).sort()) {
    const read = await loadContract({ from: join(brokenFolder, name) }).catch((error: unknown) => {
      if (error instanceof DocumentError) return error.message
      throw error
    })
    const told =
      typeof read === 'string'
        ? [`unusable: ${read.split('\n').length}`]
        : [
            ...read.operations.map(({ method, path }) => `used: ${method} ${path}`),
            ...read.leftOut.map(
              ({ method, path, problems }) =>
                `left out: ${method} ${path}: ${problems.map(({ message }) => message).join('; ')}`,
            ),
            ...read.warnings.map(({ message }) => `warning: ${message}`),
          ]
    lines.push(
      `== ${name}`,
      ...told.map(line => line.replaceAll(`${relative(process.cwd(), brokenFolder)}/`, '')),
    )
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/tolerated.txt')
})

test('a missing file, a folder and a missing URL each have their own error', async () => {
  expect(await problemOf('no/such/file.yaml')).toBe('there is no such file: no/such/file.yaml')
  expect(await problemOf(brokenFolder)).toBe(`${brokenFolder} is a folder: name the file in it`)
  const base = await serveTexts({})
  expect(await problemOf(`${base}/gone.yaml`)).toBe(
    `${base}/gone.yaml cannot be fetched: the server answers 404`,
  )
})

test.each([
  ['tabs.json', JSON.stringify(JSON.parse(documentWith()), null, '\t')],
  ['mark.json', `\ufeff${documentWith()}`],
  ['plain.yaml', stringify(JSON.parse(documentWith()))],
  ['no-extension', documentWith()],
  [
    'merged.yaml',
    `x-a: &a { get: { responses: { 200: { description: ok } } } }\nopenapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { /a: { <<: *a } }\n`,
  ],
])('a document as %s can be read', async (name, text) => {
  const contract = await loadContract({ from: writeDocument(name, text) })
  expect(contract.operations.map(({ id }) => id)).toEqual(['get-a'])
})

test.each([
  ['UTF-16', Buffer.from(`\ufeff${documentWith()}`, 'utf16le')],
  ['Latin-1', Buffer.from('title: Caf\u00e9', 'latin1')],
])('a document in %s is rejected with its name', async (_name, text) => {
  expect(await problemOf(writeDocument('text.yaml', text))).toMatch(/text\.yaml is not UTF-8 text: save it/)
})

test('aliases that would exhaust the memory are rejected', async () => {
  const lines = ['x-0: &a0 [1,1,1,1,1,1,1,1,1,1]']
  for (let level = 1; level < 9; level++)
    lines.push(`x-${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(',')}]`)
  const text = `${lines.join('\n')}\nopenapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\n`
  expect(await problemOf(writeDocument('bomb.yaml', text))).toMatch(
    /bomb\.yaml:1: cannot be read: Excessive alias/,
  )
})

test('more lines than are read in half a minute are rejected at once', async () => {
  const text = `x-a:\n${'- 1\n'.repeat(1_000_000)}`
  expect(await problemOf(writeDocument('lines.yaml', text))).toMatch(
    /lines\.yaml:1: cannot be read: it has more than 1,000,000 lines of YAML: convert it to JSON/,
  )
})

test('aliases that repeat a long text are rejected', async () => {
  const text = `x-a: &a "${'x'.repeat(1e6)}"\nx-b: [${Array(90).fill('*a').join(',')}]\n${stringify(JSON.parse(documentWith()))}`
  expect(await problemOf(writeDocument('long.yaml', text))).toMatch(
    /long\.yaml:1: cannot be read: its aliases expand to more than 64 MiB/,
  )
})

const referring = (ref: string): string =>
  documentWith({
    '/a': {
      get: {
        operationId: 'a',
        parameters: [{ name: 'q', in: 'query', schema: { $ref: ref } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  })

test('a document reads files below its own folder only, unless another folder is named', async () => {
  const secret = writeDocument('secret.yaml', 'type: integer\nconst: 4711\n')
  const folder = dirname(secret)
  const api = join(folder, 'api')
  mkdirSync(join(api, 'parts'), { recursive: true })
  writeFileSync(join(api, 'parts/part.yaml'), 'type: integer\n')
  symlinkSync(secret, join(api, 'link.yaml'))
  const from = (ref: string): string => {
    writeFileSync(join(api, 'api.yaml'), referring(ref))
    return join(api, 'api.yaml')
  }
  for (const inside of ['parts/part.yaml', './parts/../parts/part.yaml', `file://${api}/parts/part.yaml`])
    await expect(loadContract({ from: from(inside) })).resolves.toBeDefined()
  for (const outside of ['../secret.yaml', secret, `file://${secret}`, 'link.yaml', '%2e%2e/secret.yaml']) {
    expect(await problemOf(from(outside))).toMatch(
      /is outside the folder .*api; name a folder .*--ref-folder/,
    )
    await expect(loadContract({ from: from(outside), refFolder: folder })).resolves.toBeDefined()
  }
})

test('a document from the network reads no file, unless its folder is named', async () => {
  const secret = writeDocument('secret.yaml', 'type: integer\nconst: 4711\n')
  const base = await serveTexts({ '/api.yaml': referring(`file://${secret}`) })
  for (const networkRefs of [false, true])
    expect(await problemOf(`${base}/api.yaml`, { networkRefs })).toMatch(
      /the \$ref to the file .*secret\.yaml is not followed, as the document comes from the network/,
    )
  await expect(loadContract({ from: `${base}/api.yaml`, refFolder: dirname(secret) })).resolves.toBeDefined()
})

test.each([
  ['a device', '/dev/zero', '/dev'],
  ['a pipe', 'pipe', undefined],
  ['a folder', '.', undefined],
])('a $ref to %s is rejected at once', async (_name, ref, refFolder) => {
  const from = writeDocument('api.yaml', referring(ref))
  if (ref === 'pipe') execFileSync('mkfifo', [join(dirname(from), 'pipe')])
  expect(await problemOf(from, { refFolder })).toMatch(/is not a regular file|is outside the folder/)
})

test('a file of more than 64 MiB is rejected unread', async () => {
  const from = writeDocument('api.yaml', referring('large.yaml'))
  const large = join(dirname(from), 'large.yaml')
  writeFileSync(large, '')
  truncateSync(large, 65 * 2 ** 20)
  expect(await problemOf(from)).toMatch(/api\.yaml:\d+: .*large\.yaml is larger than 64 MiB/)
})

test('a document is fetched from a URL, its relative references only if the network is allowed', async () => {
  const base = await serveTexts({
    '/api/root.yaml': documentWith({ '/a': { $ref: './path.yaml' } }),
    '/api/path.yaml': JSON.stringify({
      get: { operationId: 'far', responses: { 200: { description: 'ok' } } },
    }),
  })
  const contract = await loadContract({ from: `${base}/api/root.yaml`, networkRefs: true })
  expect(contract.operations.map(({ id }) => id)).toEqual(['far'])
  expect(contract.place('/paths/~1a/get')).toMatchObject({ file: `${base}/api/path.yaml`, line: 1 })
  expect(await problemOf(`${base}/api/root.yaml`)).toMatch(
    /root\.yaml:9: the network reference .*path\.yaml is not followed; allow it with --network-refs \(at #\/paths\/~1a\/\$ref\)/,
  )
})

test('a file may refer to the network if that is allowed', async () => {
  const base = await serveTexts({
    '/schema.json': JSON.stringify({ type: 'integer', maximum: 3 }),
  })
  const from = writeDocument(
    'near.json',
    documentWith({
      '/a': {
        get: {
          parameters: [{ name: 'n', in: 'query', schema: { $ref: `${base}/schema.json` } }],
          responses: { 200: { description: 'ok' } },
        },
      },
    }),
  )
  const contract = await loadContract({ from, networkRefs: true })
  const [parameter] = contract.operations[0]?.parameters ?? []
  expect(contract.requests.schemas.validator(parameter?.schema ?? '')(4)).toHaveLength(1)
  expect(await problemOf(from)).toContain('is not followed; allow it with --network-refs')
})

test('a document in several files knows the file and line of each place', () => {
  const places = obligationsOf(contracts.orders).map(({ clause }) => clause.place)
  const files = new Set(places.map(({ file }) => file.replace(/^.*tests\/documents\//, '')))
  expect([...files].sort()).toEqual([
    'orders/orders.openapi.json',
    'orders/paths/order.yaml',
    'orders/paths/orders.yaml',
    'orders/schemas/order.yaml',
    'orders/schemas/problem.yaml',
  ])
  const lines = readFileSync(documentPath('orders/schemas/order.yaml'), 'utf8').split('\n')
  const quantity = obligationsOf(contracts.orders).find(({ id }) => id.endsWith('lines/*/quantity/minimum'))
  expect(lines[(quantity?.clause.place.line ?? 0) - 1]).toContain('quantity: { type: integer')
})

test('every part of a contract may be a reference into a templated path', async () => {
  const { operations, requests } = await loadContract({ from: ordersDocument })
  const [media] = operations[0]?.body?.media ?? []
  const validate = requests.schemas.validator(media?.schema ?? '')
  const order = { lines: [{ sku: 'a', quantity: 1 }], priority: 'low', note: null }
  expect(validate(order)).toEqual([])
  expect(validate({ ...order, note: 'x'.repeat(81) })).toMatchObject([{ at: '/note', keyword: 'maxLength' }])
})

test('the places of schemas that all refer to each other are listed in a moment', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `S${index}`)
  const properties = Object.fromEntries(names.map(name => [name, { $ref: `#/components/schemas/${name}` }]))
  const web = Object.fromEntries(names.map(name => [name, { type: 'object', properties }]))
  const from = writeDocument(
    'web.json',
    documentWith(
      {
        '/a': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } },
            responses: { 200: { description: 'ok' } },
          },
        },
      },
      { components: { schemas: web } },
    ),
  )
  const began = performance.now()
  expect(obligationsOf(await loadContract({ from })).length).toBeLessThan(10_000)
  expect(performance.now() - began).toBeLessThan(10_000)
})

const schemas = (all: object): object => ({
  ...JSON.parse(referring('#/components/schemas/A')),
  components: { schemas: all },
})

test.each([
  [
    'a reference to itself',
    { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
    'refers to itself without end',
  ],
  ['itself in allOf', { A: { allOf: [{ $ref: '#/components/schemas/A' }] } }, 'refers to itself without end'],
  [
    'a part that doubles twenty-five times',
    Object.fromEntries(
      ['A', ...Array.from({ length: 25 }, (_, level) => `B${level}`)].map((name, level) => {
        const $ref = `#/components/schemas/B${level}`
        return [name, level === 25 ? {} : { allOf: [{ $ref }, { $ref }] }]
      }),
    ),
    'has too many parts after its allOf, anyOf and oneOf: more than 20000',
  ],
  [
    'a string of a billion characters',
    { A: { type: 'string', minLength: 1e9 } },
    'minLength is 1000000000, but values of more than 1000000 cannot be tested',
  ],
  [
    'a list of a million items',
    { A: { type: 'array', minItems: 1e6 } },
    'minItems is 1000000, but values of more than 10000 cannot be tested',
  ],
  [
    'lists in two hundred lists',
    { A: Array.from({ length: 200 }).reduce<object>(items => ({ type: 'array', items }), {}) },
    'schemas are nested in this one more than 200 levels deep, which cannot be tested',
  ],
  [
    'one of twenty thousand values',
    { A: { enum: Array.from({ length: 20_000 }, (_, index) => index) } },
    'enum has 20000 values, but more than 10000 cannot be tested',
  ],
])('a document whose schema requires %s is rejected in one line', async (_name, all, message) => {
  expect(await problemOf(writeDocument('a.json', JSON.stringify(schemas(all))))).toContain(message)
})

test('a schema of 190 allOf, one inside the other, is compiled at once', async () => {
  const deep = Array.from({ length: 190 }).reduce<object>(part => ({ allOf: [part] }), { type: 'integer' })
  const contract = await loadContract({
    from: writeDocument('a.json', JSON.stringify(schemas({ A: deep }))),
  })
  const validate = contract.requests.schemas.validator('/components/schemas/A')
  expect([validate(1), validate('1')].map(({ length }) => length)).toEqual([0, 1])
})

test.each(['type', 'format', 'enum', 'maximum', 'a'])(
  'a property named %s may be a reference, beside shallow and deep schemas',
  async name => {
    const B = { properties: { [name]: { $ref: '#/components/schemas/A' } } }
    const deep = Array.from({ length: 20 }).reduce<object>(part => ({ allOf: [part] }), { type: 'integer' })
    for (const more of [{}, { deep }]) {
      const contract = await loadContract({
        from: writeDocument('a.json', JSON.stringify(schemas({ A: { type: 'integer' }, B, ...more }))),
      })
      const validate = contract.requests.schemas.validator('/components/schemas/B')
      expect([validate({ [name]: 1 }), validate({ [name]: 'x' })].map(({ length }) => length)).toEqual([0, 1])
    }
  },
)

test('limits that no double holds are named as they are written', async () => {
  const maximum = '9223372036854775806'
  const A = { type: 'integer', maximum: 4711 }
  const text = JSON.stringify(schemas({ A })).replace('4711', maximum)
  const contract = await loadContract({ from: writeDocument('a.json', text) })
  const [problem] = contract.requests.schemas.validator('/components/schemas/A')(
    parseJson('9223372036854775807'),
  )
  expect(problem?.message).toBe(`must be at most ${maximum}`)
  const texts = obligationsOf(contract).map(({ requirement }) => requirement)
  expect(texts.filter(each => each.includes(maximum))).not.toEqual([])
  expect(texts.filter(each => each.includes('9223372036854776000'))).toEqual([])
})

test('a path whose parameters cannot be told apart is rejected in one line', async () => {
  const path = `/${Array.from({ length: 100 }, (_, index) => `{p${index}}`).join('')}`
  const document = JSON.parse(referring('#/components/schemas/A'))
  const text = JSON.stringify({
    ...document,
    paths: { [path]: document.paths['/a'] },
    components: { schemas: { A: {} } },
  })
  expect(await problemOf(writeDocument('a.json', text))).toContain(
    'a segment of the path has 100 parameters, and their values cannot be told apart',
  )
})

test('a number beyond what numbers can be is rejected; so is nothing that no operation uses', async () => {
  const text = JSON.stringify(schemas({ A: { type: 'integer', maximum: 4711 } }))
  expect(await problemOf(writeDocument('a.json', text.replace('4711', '9'.repeat(1000))))).toContain(
    'maximum is a number that is too large',
  )
  const unused = schemas({ A: {}, B: { $ref: '#/components/schemas/B' }, C: { minLength: 1e9 } })
  await expect(loadContract({ from: writeDocument('b.json', JSON.stringify(unused)) })).resolves.toBeDefined()
})

test('a schema that refers to itself for a part of its value is as good as any', async () => {
  const tree = { type: 'object', properties: { next: { $ref: '#/components/schemas/A' } } }
  await expect(
    loadContract({ from: writeDocument('a.json', JSON.stringify(schemas({ A: tree }))) }),
  ).resolves.toBeDefined()
})
