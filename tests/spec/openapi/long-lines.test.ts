/** In a line that is long, or the only one, a place is told by its column and pointer as well: in every message. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { loadContract, obligationsOf, whereText } from '../../../spec/index.ts'
import { plantstore } from '../../cli/command.ts'
import { emptyFolder, filesIn } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const schema = (property: string) => ({
  type: 'object',
  required: ['a'],
  properties: { [property]: { type: 'string', format: 'url' } },
})
const content = (property: string, more: object = {}) => ({
  'application/json': { schema: schema(property), ...more },
})
const paths = (property: string, more: object = {}) => ({
  '/a': {
    post: {
      operationId: 'a',
      requestBody: { required: true, content: content(property) },
      responses: { 200: { description: 'ok', content: content('a', more) }, 400: { description: 'no' } },
    },
  },
})
const minified = (property = 'a', more: object = {}): string =>
  JSON.stringify(JSON.parse(documentWith(paths(property, more))))

/** YAML in flow style, which is no JSON. */
const flow = minified().replace('{"openapi":', '{openapi: ')

test.each([
  ['JSON', 'one.json', minified()],
  ['JSON with a line break at the end', 'one.json', `${minified()}\n`],
  ['JSON after an empty line', 'two.json', `\n${minified('x'.repeat(600))}\n`],
  ['YAML', 'one.yaml', flow],
])('every place of %s has a column, where its text begins', async (_name, file, text) => {
  const contract = await loadContract({ from: writeDocument(file, text) })
  for (const { clause } of obligationsOf(contract)) {
    const { column, line, pointer } = clause.place
    expect(column, clause.pointer).toBeGreaterThan(0)
    const name = pointer.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
    const there = text.split('\n')[line - 1]?.slice((column ?? 0) - 1) ?? ''
    expect(
      /^\d+$/.test(name) || there.replace('"', '').startsWith(name),
      `${pointer} ${there.slice(0, 40)}`,
    ).toBe(true)
    expect(whereText(clause.place)).toBe(`${clause.place.file}:${line}:${column} #${pointer}`)
    expect(contract.excerpt(clause.pointer).lines.join('\n')).toContain(there.slice(0, 20))
  }
})

test('in lines of ordinary length nothing changes', async () => {
  const contract = await loadContract({ from: writeDocument('a.json', documentWith(paths('a'))) })
  for (const { clause } of obligationsOf(contract)) {
    expect(clause.place.column).toBeUndefined()
    expect(whereText(clause.place)).toBe(`${clause.place.file}:${clause.place.line}`)
  }
})

const located = /one\.json:1:\d+ #\/paths\/~1a\/post\//

test('lint, obligations, explain, evolve and warnings of the mock', async () => {
  const spec = writeDocument('one.json', minified('a', { example: { b: 1 } }))
  const other = writeDocument('one.json', minified().replaceAll('"string"', '"integer"'))
  for (const args of [
    ['lint', '--spec', spec],
    ['explain', 'a/request/body/a/required', '--spec', spec],
    ['evolve', spec, other],
  ]) {
    const { stdout } = await plantstore(args)
    expect(stdout, args[0]).toMatch(located)
    expect(stdout.replaceAll(/one\.json:1:\d+/g, ''), args[0]).not.toContain('one.json:1')
  }
  const { stdout } = await plantstore(['obligations', '--spec', spec, '--format', 'markdown'])
  expect(stdout).toContain('#/paths/~1a/post/')
  expect(stdout).not.toContain('line 1 ')
  const warnings: string[] = []
  const mock = await createMock({ contract: spec, warn: message => warnings.push(message) })
  await fetch(`${mock.url}/a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":"a"}',
  })
  await mock.close()
  expect(warnings.join('\n')).toMatch(/invalid example at .*one\.json:1:\d+ #\/paths/)
})

test('findings and reports', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const cwd = emptyFolder()
  const spec = writeDocument('one.json', minified())
  const { stdout, stderr } = await plantstore(
    [
      'verify',
      url,
      '--spec',
      spec,
      '--seed',
      '1',
      '--cases',
      '60',
      '--report',
      'html,junit,markdown,sarif,trace',
      '--out',
      'out',
    ],
    { cwd },
  )
  expect(stdout, stderr).toMatch(located)
  const reports = filesIn(join(cwd, 'out')).filter(
    ([name, text]) => text.includes('one.json') && !/\.pdf$/.test(name),
  )
  expect(reports.length).toBeGreaterThan(3)
  for (const [name, text] of reports)
    if (/markdown|\.md$|junit|html|trace/.test(name)) expect(text, name).toMatch(/one\.json:1:\d+ #\/paths/)
})
