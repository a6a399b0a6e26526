/** Servers of which some operations wait for a lock that nobody releases any more, and the others go on. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const numbers = [1, 2, 3, 4]
const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } },
  400: { description: 'no' },
  405: { description: 'no' },
}
const document = documentWith(
  Object.fromEntries(
    numbers.flatMap(number => [
      [`/read${number}`, { get: { operationId: `read${number}`, responses } }],
      [
        `/write${number}`,
        {
          post: {
            operationId: `write${number}`,
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
                },
              },
            },
            responses,
          },
        },
      ],
    ]),
  ),
)

/** A server that answers no writes after so many of them. */
const startDeadlocking = async (after: number): Promise<string> => {
  let writes = 0
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const say = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const [, kind, number] = /^\/(read|write)(\d+)(?:\?|$)/.exec(request.url ?? '') ?? []
    if (kind === undefined || !numbers.includes(Number(number))) return say(404, {})
    if (request.method !== (kind === 'read' ? 'GET' : 'POST')) return say(405, {})
    if (kind === 'read') return say(200, 1)
    writes += 1
    if (writes > after) return
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return say(400, {})
    try {
      const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
      const isValid = typeof sent === 'object' && sent !== null && Number.isInteger(sent.n)
      return say(isValid ? 200 : 400, isValid ? 1 : {})
    } catch {
      return say(400, {})
    }
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

test.each([
  ['from the first request', 0],
  ['while operations are tried', 6],
  ['in the middle of the cases', 60],
])(
  'what a server still answers is tested to the end if its writes hang %s',
  {
    timeout: 120_000,
  },
  async (_when, after) => {
    const target = await startDeadlocking(after)
    const contract = await loadContract({ from: writeDocument('deadlock.json', document) })
    const { entries, findings } = await verify({
      ...{ contract, target, seed: 1, maxSeconds: 20, sustained: 0, timeoutMs: 1000 },
    })
    const reads = entries.filter(
      ({ obligation: { id } }) => id.startsWith('read') && !id.endsWith('/stability/drift'),
    )
    expect(reads.length).toBeGreaterThan(60)
    const open = reads.filter(({ verdict }) => !['passed', 'observed'].includes(verdict.kind))
    expect(open.map(({ obligation, verdict }) => [obligation.id, verdict])).toEqual([])
    const writes = findings.filter(({ obligation }) => obligation.startsWith('write'))
    expect(writes.length).toBe(findings.length)
    expect(writes.length).toBeGreaterThan(0)
  },
)
