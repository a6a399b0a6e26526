import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { emptyFolder, plantstore, type Ran } from '../command.ts'

const wait = 60_000

/** A contract with few different cases, for which there is no interface document. */
const smallDocument = (): string => {
  const file = join(emptyFolder(), 'api.yaml')
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /things:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: boolean } } } } } }
`,
  )
  return file
}

/** Two operations that take the same. */
const twoCreations = (): string => {
  const file = join(emptyFolder(), 'api.json')
  const instance = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const content = { 'application/json': { schema: instance } }
  const answer = { description: 'x', content }
  const post = { requestBody: { required: true, content }, responses: { 200: answer, 400: answer } }
  const paths = { '/plants': { post }, '/pots': { post } }
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Two', version: '1' }, paths }))
  return file
}

const explain = async (id: string, ...flags: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await plantstore(['explain', id, ...flags])
  // What is wrong with a document, or not tested, is said as by every command.
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('plantstore:') })
  return stdout
}

test.concurrent(
  'explain prints the clause, the place, the requests, a response that passes and one that fails',
  async () => {
    const text = await explain('createPlant/request/body/id/type/numeral')
    for (const part of [
      /^createPlant\/request\/body\/id\/type\/numeral\nMUST · reject\n/,
      /^ {2}requirement {2}a number in quotation marks as `id` instead of an integer is rejected with a declared failure$/m,
      /^ {2}clause {7}.*plant-store\.openapi\.yaml:57 · Resources and their fields, NewPlant$/m,
      /^ {15}> 57 \| {15}type: integer$/m,
      /^ {2}source {7}new-plant\/id · Resources and their fields, NewPlant$/m,
      /^ {17}“id: integer, int64, required\. Identification number of the plant\.”$/m,
      /^ {2}test {9}A request that is valid except for one value that violates `type`.* a declared failure\.$/m,
      /^ {15}\d+ test cases in a run of 1,500 cases \(the default\), of an unlimited number\.$/m,
      /^ {2}examples {5}POST \/plants \{"id":"\d+","name":/m,
      /^ {2}passed {7}400 application\/json \{"error":21,.*\n {15}to POST \/plants \{"id":"/m,
      /^ {2}failed {7}200 application\/json .*\n {15}to POST \/plants \{"id":"/m,
      /^ {15}expected 400, a declared failure$/m,
    ])
      expect(text).toMatch(part)
  },
  wait,
)

test.concurrent(
  'an open question has no failing response, but a different observation',
  async () => {
    const text = await explain('createPlant/unspecified/duplicate-id')
    expect(text).toContain('recorded and never judged')
    expect(text).toMatch(/^ {2}passed {7}the mock: accepted \(200\)$/m)
    expect(text).toMatch(
      /^ {2}failed {7}no answer is a failure; another server might show: rejected \(400 error 23\)$/m,
    )
  },
  wait,
)

test.concurrent(
  '--format json, for a response of a document without an interface document',
  async () => {
    const spec = ['--spec', smallDocument(), '--format', 'json']
    const { stdout } = (await plantstore(['obligations', ...spec])) as Ran
    const id = (JSON.parse(stdout) as readonly { id: string }[]).find(each =>
      /response\/2\d\d\/body\/.*type$/.test(each.id),
    )?.id
    const explained = JSON.parse(await explain(id as string, ...spec))
    expect(explained).toMatchObject({ obligation: { id, family: 'response' }, defaultCases: 1500 })
    expect(explained.obligation).not.toHaveProperty('subject')
    expect(explained.clauses[0].id).toMatch(/^#\//)
    expect(explained.cases).toBeGreaterThan(0)
    expect(explained.passed.outcome.status).toBeLessThan(300)
    expect(explained.failed.actual).not.toBe('')
  },
  wait,
)

test.concurrent(
  'explain prints why the mock cannot break an obligation',
  async () => {
    const spec = ['--spec', smallDocument()]
    const { stdout } = await plantstore(['obligations', ...spec, '--malformed-http', '--format', 'json'])
    const id = (JSON.parse(stdout) as readonly { id: string; family: string }[]).find(
      ({ family }) => family === 'protocol',
    )?.id
    const text = await explain(id as string, ...spec)
    expect(text).toContain(
      '  failed       the mock cannot break it: Node’s HTTP parser handles HTTP itself\n',
    )
    expect(text).toMatch(/^ {2}examples {5}raw bytes: /m)
  },
  wait,
)

test.concurrent('an unknown id is reported, with the nearest ones', async () => {
  const { code, stdout, stderr } = await plantstore(['explain', 'createPlant/auth/absnt'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(
    /^plantstore: the contract has no obligation createPlant\/auth\/absnt: did you mean createPlant\/auth\/absent\? plantstore obligations lists them\n$/,
  )
})

test.concurrent(
  'with a ledger, a finding is explained by its cause, with its other places, and by its obligation',
  async () => {
    const folder = emptyFolder()
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"id":1,"name":"Aloe"}'),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const spec = ['--spec', twoCreations()]
    const only = ['--only', '*/request/body/name/type/null']
    const { code } = await plantstore(['verify', url, ...spec, ...only, '--out', folder])
    server.close()
    expect(code).toBe(1)
    const file = join(folder, 'ledger.ndjson')
    const { findings } = foldLedger(readLedger(readFileSync(file, 'utf8')))
    expect(findings.length).toBeGreaterThan(1)
    const last = findings.at(-1)
    const text = await explain(last?.id ?? '', '--ledger', file, ...spec)
    for (const part of [
      /^accepted .*null/,
      /^ {2}actual {7}200 /m,
      new RegExp(`^ {2}reproduce {4}plantstore replay \\S+ ${last?.id}$`, 'm'),
      new RegExp(`^${last?.obligation}$`, 'm'),
      /^ {2}clause {7}.*api\.json:/m,
    ])
      expect(text).toMatch(part)
    for (const { id } of findings) expect(text).toContain(id)
    const unknown = await plantstore(['explain', 'zzz', '--ledger', file, ...spec])
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the ledger has no finding zzz'),
    })
    const other = await plantstore(['explain', last?.id ?? '', '--ledger', file, '--spec', smallDocument()])
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('of another contract') })
  },
  wait,
)
