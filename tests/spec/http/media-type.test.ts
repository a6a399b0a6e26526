/** Parameters of media types: `; version=1` and `; version=2` are two types with two schemas (RFC 9110, 8.3.1). */
import { expect, test } from 'vitest'
import { createResponseJudge, loadContract, mediaFor } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'
import { judge } from '../requests.ts'

const best = (declared: readonly string[], sent: string | null): string | null =>
  mediaFor(
    declared.map(type => ({ type })),
    sent,
  )[0]?.type ?? null

const v1 = 'application/x+json; version=1'
const v2 = 'Application/X+JSON;version="2"'

test.each([
  [[v1, v2], 'application/x+json; version=1', v1],
  [[v1, v2], 'application/x+json;version=2', v2],
  [[v1, v2], 'application/x+json; charset=utf-8; Version="2"', v2],
  [[v1, v2], 'application/x+json; version=3', null],
  [[v1, v2], 'application/x+json', null],
  [[v1], 'application/x+json', v1],
  [[v1], 'application/x+json; charset=utf-8', v1],
  [[v1], 'application/x+json; version=2', null],
  [[v1, 'application/x+json'], 'application/x+json', 'application/x+json'],
  [[v1, 'application/x+json'], 'application/x+json; version=9', 'application/x+json'],
  [['application/x+json', v1], 'application/x+json; version=1', v1],
  [['*/*', 'application/*', v1], 'application/x+json; version=1', v1],
  [['*/*', 'application/*', v1], 'application/x+json; version=2', 'application/*'],
  [['text/csv; charset=utf-8'], 'text/csv', 'text/csv; charset=utf-8'],
  [['text/csv'], 'text/csv; charset=latin1', 'text/csv'],
  [['multipart/form-data'], 'multipart/form-data; boundary=x', 'multipart/form-data'],
  [['application/json'], 'application/json; odata=verbose', 'application/json'],
  [[v1], 'text/plain', null],
  [[v1], null, null],
])('of %j, a body of %s is %s', (declared, sent, expected) => {
  expect(best(declared, sent)).toBe(expected)
})

test('requests and responses are judged by the schema of their version', async () => {
  const media = (version: number) => ({
    schema: {
      type: 'object',
      required: [`v${version}`],
      properties: { [`v${version}`]: { type: 'integer' } },
    },
  })
  const type = (version: number) => `application/x+json; version=${version}`
  const content = { [type(1)]: media(1), [type(2)]: media(2) }
  const contract = await loadContract({
    from: writeDocument(
      'versions.json',
      documentWith({
        '/a': {
          post: {
            operationId: 'a',
            requestBody: { required: true, content },
            responses: { 200: { description: 'ok', content } },
          },
        },
      }),
    ),
  })
  const [operation] = contract.operations
  if (operation === undefined) throw new Error('no operation')
  const judgeResponse = createResponseJudge(contract, operation)
  for (const [version, body, isRight] of [
    [1, '{"v1":1}', true],
    [2, '{"v2":1}', true],
    [1, '{"v2":1}', false],
    [2, '{"v1":1}', false],
    [3, '{"v1":1}', false],
  ] as const) {
    const headers = { 'Content-Type': type(version) }
    const sent = judge(contract, { method: 'POST', target: '/a', headers, body })
    expect(sent.violations.length === 0, `${version} ${body}`).toBe(isRight)
    const bytes = new TextEncoder().encode(body)
    const got = judgeResponse({ status: 200, headers: Object.entries(headers), body: bytes }, undefined)
    expect(got.length === 0, `${version} ${body}`).toBe(isRight)
  }
})
