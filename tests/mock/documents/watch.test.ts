import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock, type MockOptions } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { send, startMock } from '../client.ts'

/** A document with one operation for each name, whose responses are in a file of another folder. */
const documentWith = (...names: readonly string[]): string =>
  [
    'openapi: 3.1.0',
    'info: { title: Shelf, version: "1" }',
    'paths:',
    ...names.map(
      name =>
        `  /${name}: { get: { operationId: ${name}, responses: { "200": { $ref: "./parts/responses/good.yaml#/Good" } } } }`,
    ),
  ].join('\n')

const responseOf = (word: string): string =>
  [
    'Good:',
    '  description: fine',
    `  content: { application/json: { schema: { $ref: "../word.yaml" }, example: ${word} } }`,
  ].join('\n')

const folder = () => {
  const path = emptyFolder()
  mkdirSync(join(path, 'parts/responses'), { recursive: true })
  const at = (name: string): string => join(path, name)
  const write = (name: string, text: string): void => writeFileSync(at(name), text)
  write('main.yaml', documentWith('first'))
  write('parts/responses/good.yaml', responseOf('one'))
  write('parts/word.yaml', 'type: string')
  return { at, write }
}

/** A mock that watches its documents, and a way to wait for its warnings; each is returned once. */
const startWatching = async (options: MockOptions) => {
  const warnings: string[] = []
  let notify = (): void => {}
  const mock = await startMock({
    ...options,
    watch: true,
    warn: message => {
      warnings.push(message)
      notify()
    },
  })
  const warned = async (text: RegExp): Promise<string> => {
    for (;;) {
      const index = warnings.findIndex(message => text.test(message))
      if (index >= 0) return warnings.splice(0, index + 1).at(-1) as string
      await new Promise<void>(resolve => {
        notify = resolve
      })
    }
  }
  const status = async (path: string) => (await send(mock, { method: 'GET', path })).status
  const text = async (path: string) =>
    Buffer.from((await send(mock, { method: 'GET', path })).body).toString()
  return { mock, warnings, warned, status, text }
}

test('operations that are added, changed or removed take effect at once, on the same port', async () => {
  const { at, write } = folder()
  const { mock, warned, status } = await startWatching({ contract: at('main.yaml') })
  const { url } = mock
  write('main.yaml', documentWith('first', 'second'))
  expect(await warned(/read again/)).toMatch(/main\.yaml was read again: added second$/)
  expect(await status('/second')).toBe(200)
  write('main.yaml', documentWith('second').replace('operationId', 'summary: changed, operationId'))
  expect(await warned(/read again/)).toMatch(/removed first; changed second$/)
  expect(await status('/first')).toBe(404)
  expect(mock.contract.operations.map(({ id }) => id)).toEqual(['second'])
  expect(mock.url).toBe(url)
})

test('files that the document refers to are watched, also in other folders and through other files', async () => {
  const { at, write } = folder()
  const { warned, text } = await startWatching({ contract: at('main.yaml') })
  expect(await text('/first')).toBe('"one"')
  write('parts/responses/good.yaml', responseOf('two'))
  expect(await warned(/read again/)).toMatch(/changed first$/)
  expect(await text('/first')).toBe('"two"')
  write('parts/word.yaml', 'type: string\nmaxLength: 3')
  expect(await warned(/read again/)).toMatch(/changed first$/)
})

test('an operation counts as changed if anything that it refers to has changed, even indirectly, and only then', async () => {
  const { at, write } = folder()
  const operation = (id: string, schema: string): string =>
    `  /${id}: { get: { operationId: ${id}, responses: { "200": { description: d, content: { application/json: { schema: { $ref: "#/components/schemas/${schema}" } } } } } } }`
  const shelf = (type: string): string =>
    [
      'openapi: 3.1.0',
      'info: { title: Shelf, version: "1" }',
      'paths:',
      operation('near', 'List'),
      operation('far', 'Other'),
      'components:',
      '  schemas:',
      '    List: { type: array, items: { $ref: "#/components/schemas/Item" } }',
      '    Item: { type: object, properties: { next: { $ref: "#/components/schemas/Item" }, of: { $ref: "#/components/schemas/Kind" } } }',
      `    Kind: { type: ${type} }`,
      '    Other: { type: boolean }',
    ].join('\n')
  write('main.yaml', shelf('string'))
  const { warned } = await startWatching({ contract: at('main.yaml') })
  write('main.yaml', shelf('integer'))
  expect(await warned(/read again/)).toMatch(/: changed near$/)
})

test('an unusable document is reported once, by file and line, and its last usable version is served', async () => {
  const { at, write } = folder()
  const { mock, warnings, warned, status } = await startWatching({ contract: at('main.yaml') })
  write('parts/responses/good.yaml', 'Good:\n  description: [')
  expect(await warned(/still served/)).toMatch(
    /parts\/responses\/good\.yaml:\d+: cannot be read: .*; the last usable version is still served$/,
  )
  expect(await status('/first')).toBe(200)
  const health = await fetch(`${mock.url}/__plantstore/health`)
  expect(await health.json()).toMatchObject({ status: 'ok', problem: expect.stringContaining('good.yaml:') })
  // The other files of the document are still watched, and the same problem is not reported again.
  const before = mock.documents
  write('main.yaml', documentWith('first', 'second'))
  await expect.poll(() => mock.documents !== before).toBe(true)
  expect(warnings).toEqual([])
  write('parts/responses/good.yaml', responseOf('three'))
  expect(await warned(/read again/)).toMatch(/added second; changed first$/)
  expect(await status('/second')).toBe(200)
  expect(await (await fetch(`${mock.url}/__plantstore/health`)).json()).not.toHaveProperty('problem')
  expect(warnings).toEqual([])
})

test('a document that is no longer a contract is reported with its place', async () => {
  const { at, write } = folder()
  const { warned, status } = await startWatching({ contract: at('main.yaml') })
  write('main.yaml', documentWith('first').replace('openapi: 3.1.0', 'openapi: 2.0.0'))
  expect(await warned(/still served/)).toMatch(/main\.yaml:1: OpenAPI "2\.0\.0" is not supported/)
  expect(await status('/first')).toBe(200)
})

test('a file that vanishes is reported at the reference to it, and read when it exists again', async () => {
  const { at, write } = folder()
  const { warned, status, text } = await startWatching({ contract: at('main.yaml') })
  rmSync(at('parts'), { recursive: true })
  expect(await warned(/still served/)).toMatch(/main\.yaml:4: the file of this \$ref cannot be read/)
  expect(await status('/first')).toBe(200)
  mkdirSync(at('parts/responses'), { recursive: true })
  write('parts/word.yaml', 'type: string')
  write('parts/responses/good.yaml', responseOf('four'))
  await warned(/read again: changed first$/)
  expect(await text('/first')).toBe('"four"')
  rmSync(at('main.yaml'))
  await warned(/there is no such file: .*main\.yaml; the last usable version is still served$/)
  write('main.yaml', documentWith('first'))
  await warned(/read again: no operation changed$/)
})

test('a document that refers to a missing file is read again when that file appears', async () => {
  const { at, write } = folder()
  const { warned, text } = await startWatching({ contract: at('main.yaml') })
  write('main.yaml', documentWith('first').replace('parts/responses', 'new/responses'))
  await warned(/main\.yaml:4: the file of this \$ref cannot be read: .*new\/responses\/good\.yaml/)
  mkdirSync(at('new/responses'), { recursive: true })
  write('new/responses/good.yaml', responseOf('five').replace('../word', '../../parts/word'))
  await warned(/read again: changed first$/)
  expect(await text('/first')).toBe('"five"')
})

test('a file that an editor replaces by renaming another is read again, each time', async () => {
  const { at, write } = folder()
  const { warned, text } = await startWatching({ contract: at('main.yaml') })
  for (const word of ['red', 'green', 'blue']) {
    write('parts/responses/.good.yaml.swp', responseOf(word))
    renameSync(at('parts/responses/.good.yaml.swp'), at('parts/responses/good.yaml'))
    await warned(/read again: changed first$/)
    expect(await text('/first')).toBe(`"${word}"`)
  }
})

test('a document is read again when its symbolic link points to another file', async () => {
  const { at, write } = folder()
  write('next.yaml', documentWith('second'))
  symlinkSync('main.yaml', at('link.yaml'))
  const { warned, status } = await startWatching({ contract: at('link.yaml') })
  symlinkSync('next.yaml', at('link.new'))
  renameSync(at('link.new'), at('link.yaml'))
  await warned(/added second; removed first$/)
  expect(await status('/second')).toBe(200)
})

test('the journal stays, and clients in the middle of their requests notice nothing', async () => {
  const { at, write } = folder()
  const { mock, warned } = await startWatching({ contract: at('main.yaml') })
  let stopped = false
  const client = async (): Promise<readonly number[]> => {
    const statuses: number[] = []
    while (!stopped) statuses.push((await send(mock, { method: 'GET', path: '/first' })).status)
    return statuses
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  for (let round = 0; round < 4; round++) {
    write('parts/responses/good.yaml', 'Good: [')
    await warned(/still served/)
    write('parts/responses/good.yaml', responseOf(`word${round}`))
    await warned(/read again/)
  }
  stopped = true
  const statuses = (await clients).flat()
  expect(statuses.length).toBeGreaterThan(50)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(mock.journal.entries().at(-1)?.number).toBe(statuses.length)
})

test('scenarios stay on, also one that breaks an obligation, and new operations can have some', async () => {
  const { at, write } = folder()
  const { mock, warned, status } = await startWatching({ contract: at('main.yaml') })
  const type = async () => (await fetch(`${mock.url}/first`)).headers.get('content-type')
  await mock.scenarios.set('first', { breaks: 'first/response/200/content-type' })
  await mock.scenarios.of('other').set('first', { fault: 'reset' })
  expect(await type()).not.toBe('application/json')
  write('main.yaml', documentWith('first', 'second'))
  await warned(/added second/)
  expect(await type()).not.toBe('application/json')
  await expect(fetch(`${mock.url}/first`, { headers: { 'plantstore-client': 'other' } })).rejects.toThrow()
  await mock.scenarios.set('second', { fault: 'reset' })
  await expect(status('/second')).rejects.toThrow()
  // The broken response is one of the new document.
  write('parts/responses/good.yaml', responseOf('nine'))
  await warned(/changed first, second/)
  expect(await (await fetch(`${mock.url}/first`)).text()).toContain('nine')
  // The obligation disappears and returns with its operation.
  write('main.yaml', documentWith('second'))
  await warned(/removed first/)
  expect(await status('/first')).toBe(404)
  write('main.yaml', documentWith('first'))
  await warned(/added first; removed second/)
  expect(await type()).not.toBe('application/json')
})

test('a request that is half sent when the document changes gets the response of the new one', async () => {
  const { at, write } = folder()
  const { mock, warned } = await startWatching({ contract: at('main.yaml') })
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const body = async function* () {
    yield Buffer.from('{')
    begun.resolve()
    await rest.promise
    yield Buffer.from('}')
  }
  const options = { method: 'POST', body: body(), duplex: 'half' }
  const response = fetch(`${mock.url}/second`, options as unknown as RequestInit)
  await begun.promise
  write('main.yaml', documentWith('first', 'second'))
  await warned(/added second/)
  rest.resolve()
  expect((await response).status).toBe(405)
})

test('`breaks` stays in effect; a document without the obligation is not served', async () => {
  const { at, write } = folder()
  const breaks = 'first/response/200/content-type'
  const { warned, status, mock } = await startWatching({ contract: at('main.yaml'), breaks })
  const type = async () => (await fetch(`${mock.url}/first`)).headers.get('content-type')
  expect(await type()).not.toBe('application/json')
  write('main.yaml', documentWith('first', 'second'))
  await warned(/added second/)
  expect(await type()).not.toBe('application/json')
  write('main.yaml', documentWith('second'))
  await warned(/first\/response\/200\/content-type.*still served$/s)
  expect(await status('/first')).toBe(200)
})

test('only files can be watched; anything else is an error that says so', async () => {
  const contract = await loadContract({ from: folder().at('main.yaml') })
  await expect(createMock({ watch: true, contract: 'https://docs.example/api.yaml' })).rejects.toThrow(
    'https://docs.example/api.yaml cannot be watched, only files can: save it as a file, or omit --watch',
  )
  await expect(createMock({ watch: true, contract })).rejects.toThrow(
    'a contract in memory cannot be watched',
  )
})
