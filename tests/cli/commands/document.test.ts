import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, plantstore } from '../command.ts'
import { deadUrl } from '../servers.ts'

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n'
const operation = (schema: string): string =>
  `${head}paths:
  /a:
    post:
      operationId: makeA
      requestBody:
        content:
          application/json:
            schema: ${schema}
      responses:
        "200": { description: made }
`

const documents: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ['truncated YAML', 'openapi: [3.1.0\n', /^api\.yaml:2: cannot be read: /],
  ['truncated JSON', '{"openapi": "3.1.0",\n', /^api\.yaml:2: cannot be read: /],
  ['a duplicate key', `${head}info: {}\npaths: {}\n`, /^api\.yaml:3: the key "info" is used twice/],
  ['text', 'hello\n', /^api\.yaml:1: /],
  ['an empty file', '', /^api\.yaml:1: /],
  ['a list', '- 1\n', /^api\.yaml:1: /],
  ['another kind of document', 'a: 1\n', /^api\.yaml:1: /],
  [
    'an unknown version',
    'openapi: 9.9.9\ninfo: { title: T, version: "1" }\npaths: {}\n',
    /^api\.yaml:[12]: .*9\.9\.9/,
  ],
  ['no info', 'openapi: 3.1.0\npaths: {}\n', /^api\.yaml:1: .*info/],
  ['a type that does not exist', operation('{ type: notatype }'), /^api\.yaml:10: /],
  [
    'a keyword with a value of the wrong type',
    operation('{ type: string, minLength: bad }'),
    /^api\.yaml:10: /,
  ],
  [
    'a $ref that cannot be resolved',
    operation("{ $ref: '#/components/schemas/Gone' }"),
    /^api\.yaml:10: the \$ref "#\/components\/schemas\/Gone" cannot be resolved/,
  ],
  [
    'a $ref to a file that does not exist',
    operation("{ $ref: 'gone.yaml#/A' }"),
    /^api\.yaml:10: .*gone\.yaml/,
  ],
  ['a $ref to the network', operation("{ $ref: 'http://127.0.0.1:9/a.yaml' }"), /network.*--network-refs/],
  ['no operation', `${head}paths: {}\n`, /^api\.yaml:3: /],
]

describe('an unusable document is reported with file and line, and exits with 3', () => {
  test.concurrent.each(documents)('%s', async (_name, text, message) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'api.yaml'), text)
    const { code, stdout, stderr } = await plantstore(['verify', '--spec', 'api.yaml'], { cwd })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/^plantstore: /)
    expect(stderr.slice('plantstore: '.length)).toMatch(message)
    expect(stderr).not.toMatch(/\n {4}at /)
    expect(existsSync(join(cwd, 'plantstore-report'))).toBe(false)
  })

  test('each problem is printed on its own line', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'api.yaml'), operation('{ type: string, minLength: bad, maxLength: -1 }'))
    const { stderr } = await plantstore(['obligations', '--spec', 'api.yaml'], { cwd })
    const lines = stderr.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(2)
    for (const line of lines) expect(line).toMatch(/api\.yaml:\d+: /)
  })

  test.concurrent.each(['verify', 'mock', 'obligations'])(
    'a file that does not exist, in %s',
    async command => {
      expect(await plantstore([command, '--spec', 'gone.yaml'])).toEqual({
        code: 3,
        stdout: '',
        stderr: 'plantstore: there is no such file: gone.yaml\n',
      })
    },
  )

  test('a folder', async () => {
    const { code, stderr } = await plantstore(['verify', '--spec', '.'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/^plantstore: \.:? .*folder/)
  })

  test('a URL that cannot be reached', async () => {
    const url = `${await deadUrl()}/api.yaml`
    const { code, stderr } = await plantstore(['verify', '--spec', url])
    expect(code).toBe(3)
    expect(stderr).toMatch(new RegExp(`^plantstore: ${url} cannot be fetched: .*ECONNREFUSED`))
  })
})
