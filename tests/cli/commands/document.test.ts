import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

const faulty = `${head}unknown: 1
paths:
  /a:
    get: { operationId: good, responses: { "200": { description: ok } } }
    post: { operationId: bad, requestBody: { content: { application/json: { schema: { $ref: "#/gone" } } } }, responses: { "200": { description: ok } } }
`

describe('a document with faults is used as far as it can be', () => {
  const folder = (): string => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'api.yaml'), faulty)
    return cwd
  }

  test.concurrent.each([
    [['obligations', '--spec', 'api.yaml'], 0],
    [['verify', 'embedded-mock', '--spec', 'api.yaml', '--cases', '40', '--allow-partial', '--quiet'], 0],
  ])('%j says what is left out, and why, on standard error', async (args, expected) => {
    const { code, stdout, stderr } = await plantstore(args, { cwd: folder() })
    expect(code).toBe(expected)
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'api.yaml: 1 operation of 2 left out, because the document describes them in a way that cannot be used:',
      '  POST /a: api.yaml:7: the $ref "#/gone" cannot be resolved (at #/paths/~1a/post/requestBody/content/application~1json/schema/$ref)',
      'api.yaml: 1 warning:',
      '  api.yaml:3: the document has no field "unknown" in OpenAPI 3.1 (at #/unknown)',
    ])
    expect(stdout).not.toContain('bad/')
  })

  test('a run says so in its reports, and not only on the terminal', async () => {
    const cwd = folder()
    const args = [
      'verify',
      'embedded-mock',
      '--spec',
      'api.yaml',
      '--cases',
      '40',
      '--report',
      'html,markdown,record',
    ]
    const { stdout } = await plantstore(args, { cwd })
    const left =
      '1 of 2 operations are left out, because the document describes them in a way that cannot be used: POST /a'
    expect(stdout).toContain(left)
    const out = join(cwd, 'plantstore-report')
    for (const name of readdirSync(out).filter(file => /\.(html|md|ndjson)$/.test(file)))
      expect([name, readFileSync(join(out, name), 'utf8').includes(left)]).toEqual([name, true])
  })

  test('--strict-document makes every fault an error', async () => {
    const { code, stdout, stderr } = await plantstore(['verify', '--spec', 'api.yaml', '--strict-document'], {
      cwd: folder(),
    })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map(line => line.replace(/^plantstore: /, '')),
    ).toEqual([
      'api.yaml:3: the document has no field "unknown" in OpenAPI 3.1 (at #/unknown)',
      'api.yaml:7: the $ref "#/gone" cannot be resolved (at #/paths/~1a/post/requestBody/content/application~1json/schema/$ref)',
    ])
  })

  test('of many faults, some are printed, with the way to all of them', async () => {
    const cwd = emptyFolder()
    const fields = Array.from({ length: 9 }, (_, index) => `unknown${index}: 1`).join('\n')
    writeFileSync(
      join(cwd, 'api.yaml'),
      `${head}${fields}\npaths: { /a: { get: { responses: { "200": { description: ok } } } } }\n`,
    )
    const { stderr } = await plantstore(['obligations', '--spec', 'api.yaml'], { cwd })
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      '  and 4 more',
      'plantstore lint lists everything that is wrong with the document',
    ])
    expect(stderr.split('\n').length).toBeLessThan(10)
  })

  test('a converted document is named as one', async () => {
    const cwd = emptyFolder()
    writeFileSync(
      join(cwd, 'old.yaml'),
      'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: { 200: { description: ok } } } } }\n',
    )
    expect((await plantstore(['obligations', '--spec', 'old.yaml'], { cwd })).stderr).toBe(
      'old.yaml: converted from Swagger 2.0 to OpenAPI 3.0\n',
    )
  })
})
