/** A rule between two properties that the document does not have: the suite finds a request that is accepted, and tests the rest with it. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

const date = { type: 'string', format: 'date-time' }
const document = documentWith({
  '/silences': {
    post: {
      operationId: 'silence',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['startsAt', 'endsAt', 'comment'],
              properties: {
                startsAt: date,
                endsAt: date,
                comment: { type: 'string' },
                weight: { type: 'integer' },
              },
            },
          },
        },
      },
      responses: { 200: { description: 'silent' }, 400: { description: 'invalid' } },
    },
  },
})

type Silence = { startsAt?: unknown; endsAt?: unknown; comment?: unknown; weight?: unknown }

const isDate = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d[Tt ]/.test(text) && !Number.isNaN(Date.parse(text))

const run = async (
  isWeight: (weight: unknown) => boolean,
  { seed = 1, endsAfter = Number.NEGATIVE_INFINITY } = {},
) => {
  const server = createServer(async (request, response) => {
    const body = strictJson(Buffer.concat(await request.toArray())) as Silence | null | undefined
    const isRight =
      hasJsonType(request) &&
      request.headers['content-encoding'] === undefined &&
      typeof body === 'object' &&
      body !== null &&
      isDate(body.startsAt) &&
      isDate(body.endsAt) &&
      typeof body.comment === 'string' &&
      (body.weight === undefined || isWeight(body.weight)) &&
      Date.parse(body.startsAt) < Date.parse(body.endsAt) &&
      Date.parse(body.endsAt) > endsAfter
    response.writeHead(request.method !== 'POST' ? 405 : isRight ? 200 : 400).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('silences.json', document) })
  const { findings } = await verify({ contract, target: url, seed, sustained: 0, cases: 500 })
  return findings.map(({ title, obligation }) => `${obligation}: ${title}`)
}

test('the rule is told, and nothing else of a server that is right', async () => {
  const findings = await run(Number.isInteger)
  expect(findings).not.toEqual([])
  // Without a name if what was accepted would also be accepted with one of the rejected values: the values differ from run to run.
  const rule = /startsAt|endsAt|^silence\/request\/valid: rejected a valid request$/
  expect(findings.filter(text => !rule.test(text))).toEqual([])
})

test('what is wrong besides is found', async () => {
  expect(await run(() => true)).toContainEqual(
    expect.stringMatching(/^silence\/request\/body\/weight\/type\/\w+: accepted /),
  )
})

test.each([1, 2, 3])(
  'a start before its end, which is in the future, is found with any seed: %i',
  async seed => {
    const findings = await run(() => true, { seed, endsAfter: Date.now() })
    expect(findings.join('\n')).not.toMatch(/accepted no valid request/)
    expect(findings).toContainEqual(
      expect.stringMatching(/^silence\/request\/body\/weight\/type\/\w+: accepted /),
    )
  },
)
