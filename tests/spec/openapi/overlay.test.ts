/** Overlays (1.0 and 1.1) change the document as their specification says, and what comes from one has its line. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DocumentError, loadContract } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { listen } from '../../listen.ts'

const document = `openapi: 3.1.0
info: { title: Pots, version: '1' }
paths:
  /pots:
    get:
      parameters:
        - { name: a, in: query, schema: { type: string, maxLength: 1 } }
        - { name: b, in: query, schema: { type: string, maxLength: 2 } }
        - { name: c, in: query, schema: { type: string, maxLength: 3 } }
      responses: { '200': { description: all } }
  /tools:
    get: { responses: { '200': { description: all } } }
`

const overlayOf = (actions: readonly object[], version = '1.1.0'): string =>
  JSON.stringify({ overlay: version, info: { title: 'o', version: '1' }, actions }, null, 1)

const loaded = async (...overlays: readonly string[]) => {
  const folder = emptyFolder()
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const from = file('api.yaml', document)
  return loadContract({ from, overlay: overlays.map((text, index) => file(`o${index}.json`, text)) })
}

const problemOf = async (overlay: string): Promise<string> => {
  const error = await loaded(overlay).catch((thrown: unknown) => thrown)
  if (!(error instanceof DocumentError)) throw new Error('it was applied')
  return error.problems.map(({ message, place }) => `${place?.line}: ${message}`).join('\n')
}

describe('an action', () => {
  test('updates objects by merging, lists by appending, and everything else by replacing', async () => {
    const { operations, title } = await loaded(
      overlayOf([
        { target: '$.info', update: { title: 'New', contact: { name: 'x' } } },
        {
          target: "$.paths['/pots'].get.parameters",
          update: { name: 'd', in: 'query', schema: { type: 'integer' } },
        },
        { target: '$.paths.*.get', update: { responses: { 404: { description: 'none' } } } },
        { target: "$.paths['/pots'].get.parameters[?@.name == 'a'].schema.maxLength", update: 9 },
      ]),
    )
    expect(title).toBe('New')
    expect(operations.map(({ path, responses }) => [path, responses.map(({ status }) => status)])).toEqual([
      ['/pots', ['200', '404']],
      ['/tools', ['200', '404']],
    ])
    expect(operations[0]?.parameters.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('removes what it names, all of it', async () => {
    const { operations } = await loaded(
      overlayOf([
        { target: "$.paths['/pots'].get.parameters[?@.name != 'b']", remove: true, update: { name: 'z' } },
        { target: "$.paths['/tools']", remove: true },
      ]),
    )
    expect(operations.map(({ path, parameters }) => [path, parameters.map(({ name }) => name)])).toEqual([
      ['/pots', ['b']],
    ])
  })

  test('copies one place to others (1.1)', async () => {
    const { operations } = await loaded(
      overlayOf([
        {
          target: "$.paths['/tools'].get",
          copy: "$.paths['/pots'].get",
        },
        {
          target: "$.paths['/tools'].get",
          update: { parameters: [{ name: 'e', in: 'query', schema: { type: 'string' } }] },
        },
      ]),
    )
    expect(operations[1]?.parameters.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'e'])
    expect(operations[0]?.parameters).toHaveLength(3)
  })

  test('that finds nothing is a warning with its line', async () => {
    const { warnings } = await loaded(overlayOf([{ target: '$.paths.nothing', remove: true }]))
    expect(
      warnings.map(({ message, place }) => [message, place?.file.endsWith('o0.json'), place?.line]),
    ).toEqual([['the overlay changes nothing here: the document has no $.paths.nothing', true, 8]])
  })
})

test('overlays are applied in their order', async () => {
  const titled = (title: string) => overlayOf([{ target: '$.info', update: { title } }])
  const { title, overlays } = await loaded(titled('one'), titled('two'))
  expect(title).toBe('two')
  expect(overlays.map(file => file.replace(/.*\//, ''))).toEqual(['o0.json', 'o1.json'])
})

test('what an overlay brings has its place there; what moves keeps its own', async () => {
  const contract = await loaded(
    overlayOf([
      { target: "$.paths['/pots'].get.parameters[0]", remove: true },
      { target: "$.paths['/pots'].get.parameters[0].schema", update: { minLength: 1 } },
    ]),
  )
  const at = (pointer: string): string => {
    const { file, line } = contract.place(`/paths/~1pots/get/parameters/${pointer}`)
    return `${file.replace(/.*\//, '')}:${line}`
  }
  expect(at('0/schema/maxLength')).toBe('api.yaml:8')
  expect(at('1/schema/maxLength')).toBe('api.yaml:9')
  expect(at('0/schema/minLength')).toMatch(/^o0\.json:\d+$/)
})

test('what later overlays do to what earlier ones brought has its place in either', async () => {
  const schema = "$.paths['/pots'].get.parameters[1].schema"
  const contract = await loaded(
    overlayOf([{ target: schema, update: { minLength: 1 } }]),
    overlayOf([{ target: "$.paths['/pots'].get.parameters[0]", remove: true }]),
    overlayOf([
      { target: schema, remove: true },
      { target: "$.paths['/pots'].get.parameters[1]", update: { schema: { minLength: 2 } } },
    ]),
  )
  const fileAt = (pointer: string): string =>
    contract.place(`/paths/~1pots/get/parameters/${pointer}`).file.replace(/.*\//, '')
  expect(fileAt('0/schema/minLength')).toBe('o0.json')
  expect(fileAt('0/schema/maxLength')).toBe('api.yaml')
  expect(fileAt('1/schema/minLength')).toBe('o2.json')
})

test('two aliases of YAML are two places', async () => {
  const folder = emptyFolder()
  const [from, overlay] = [join(folder, 'api.yaml'), join(folder, 'o.json')]
  writeFileSync(
    from,
    document
      .replace("responses: { '200': { description: all } } }\n", 'responses: *all }\n')
      .replace("responses: { '200'", "responses: &all { '200'"),
  )
  writeFileSync(
    overlay,
    overlayOf([{ target: "$.paths['/tools'].get.responses", update: { 404: { description: 'none' } } }]),
  )
  const { operations } = await loadContract({ from, overlay: [overlay] })
  expect(operations.map(({ path, responses }) => [path, responses.length])).toEqual([
    ['/pots', 1],
    ['/tools', 2],
  ])
})

test('overlays come from addresses as well, and are checked as documents are', async () => {
  const server = createServer((_, response) =>
    response.end(overlayOf([{ target: '$.info', update: { title: 'Far' } }])),
  )
  const { url, close } = await listen(server)
  onTestFinished(close)
  const folder = emptyFolder()
  const [from, latin1] = [join(folder, 'api.yaml'), join(folder, 'latin1.yaml')]
  writeFileSync(from, document)
  writeFileSync(latin1, Buffer.from('overlay: caf\u00e9', 'latin1'))
  expect(await loadContract({ from, overlay: [url] })).toMatchObject({ title: 'Far', overlays: [`${url}`] })
  await expect(loadContract({ from, overlay: [latin1] })).rejects.toThrow('is not UTF-8 text')
  await expect(loadContract({ from, overlay: [join(folder, 'no.yaml')] })).rejects.toThrow(
    'there is no such file',
  )
})

test.each([
  [/^1: this is not an OpenAPI overlay: it has no field `overlay`$/, '{"actions":[]}'],
  [/use 1\.0\.0 or 1\.1\.0$/, overlayOf([{ target: '$.info' }], '2.0.0')],
  [/the overlay has no list of actions/, '{"overlay":"1.0.0","actions":null}'],
  [/the action of the overlay has no target/, overlayOf([{ update: {} }])],
  [/is not a JSONPath \(RFC 9535\)/, overlayOf([{ target: '$.[', update: {} }])],
  [
    /copy must name exactly one place, and \$\.paths\.\* names 2$/,
    overlayOf([{ target: '$.info', copy: '$.paths.*' }]),
  ],
])('what is no overlay is told with its line: %s', async (message, overlay) => {
  expect(await problemOf(overlay)).toMatch(message)
})

test('a property of any name is only a property', async () => {
  const update = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  await loaded(overlayOf([{ target: '$.info', update }]))
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('objects are merged at any depth, whatever they have', async () => {
  const merge = (old: unknown, update: unknown): unknown => {
    if (Array.isArray(old) && Array.isArray(update)) return [...old, ...update]
    const isObject = (value: unknown): value is object =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject(old) || !isObject(update)) return update
    const names = new Set([...Object.keys(old), ...Object.keys(update)])
    return Object.fromEntries(
      [...names].map(name => [
        name,
        name in update ? merge(old[name as never], update[name as never]) : old[name as never],
      ]),
    )
  }
  const extension = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.integer(),
        fc.array(fc.integer()),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
      ),
    })).value,
  )
  await fc.assert(
    fc.asyncProperty(extension, extension, async (old, update) => {
      const first = overlayOf([{ target: '$.info', update: { 'x-old': old } }])
      const second = overlayOf([{ target: "$.info['x-old']", update }])
      const contract = await loaded(first, second)
      const info = contract.document.info as { readonly 'x-old': unknown }
      expect(JSON.parse(JSON.stringify(info['x-old']))).toEqual(merge(old, update))
    }),
    { numRuns: 30 },
  )
})
