/** A run whose time does not do for a request of each requirement tests many at once, and says nothing else of any than a whole run does. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Contract, type Ledger, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../../spec/contracts.ts'
import { strictJson } from '../../strict-json.ts'

const types = ['string', 'integer', 'string', 'boolean', 'string', 'string', 'integer', 'string'] as const
const names = types.map((_type, index) => `p${index}`)
const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'string' } } }
const paths = ['/lists', '/pages', '/notes']

const load = (): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'grouped.json',
      documentWith(
        Object.fromEntries(
          paths.map(path => [
            path,
            {
              post: {
                operationId: path.slice(1),
                requestBody: bodyOf({
                  type: 'object',
                  required: ['p0', 'p1'],
                  properties: {
                    ...Object.fromEntries(names.map((name, index) => [name, { type: types[index] }])),
                    point,
                    points: { type: 'array', items: point },
                  },
                }),
                responses: { 200: { description: 'ok' }, 400: { description: 'invalid' } },
              },
            },
          ]),
        ),
      ),
    ),
  })

type Body = Readonly<Record<string, unknown>>

const isPoint = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ['undefined', 'number'].includes(typeof (value as Body).x) &&
  Number.isInteger((value as Body).x ?? 0) &&
  ['undefined', 'string'].includes(typeof (value as Body).y)

const isOfType = (name: string, value: unknown): boolean => {
  if (name === 'point') return isPoint(value)
  if (name === 'points') return Array.isArray(value) && value.every(isPoint)
  const type = types[names.indexOf(name)]
  return type === undefined || (type === 'integer' ? Number.isInteger(value) : typeof value === type)
}

/** The names of what is wrong; null: the body is no object of these. */
const wrongIn = (body: unknown): readonly string[] | null =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && 'p0' in body && 'p1' in body
    ? Object.entries(body).flatMap(([name, value]) => (isOfType(name, value) ? [] : [name]))
    : null

/** Three faults, of single values: one is rejected, one crashes the server, and one wrong type is accepted. */
const faultOf = (path: string | undefined, { p2, p4, p5 }: Body): number | null => {
  if (path === '/pages' && typeof p2 === 'string' && /^\p{Lu}/u.test(p2)) return 400
  if (path === '/notes' && typeof p4 === 'string' && p4.includes("'")) return 500
  return path === '/lists' && typeof p5 === 'number' ? 200 : null
}

const run = async ({ ms, isListing, seconds }: { ms: number; isListing: boolean; seconds?: number }) => {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const body = strictJson(Buffer.concat(await request.toArray()))
    const isMeant =
      request.method === 'POST' && /^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')
    const wrong = wrongIn(body)
    const fault = wrong === null ? null : faultOf(request.url, body as Body)
    const rest = fault === 200 ? wrong?.filter(name => name !== 'p5') : wrong
    const status = rest?.length === 0 && isMeant ? (fault ?? 200) : 400
    if (ms > 0) await pause(ms)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(
      status === 400 && isListing
        ? JSON.stringify({ detail: rest?.map(name => ({ loc: ['body', name] })) })
        : '{}',
    )
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const ledger = await verify({
    contract: await load(),
    ...{ target: url, seed: 1, sustained: 0, concurrency: 2 },
    ...(seconds === undefined ? {} : { maxSeconds: seconds }),
  })
  return { ledger, requests }
}

const verdicts = ({ entries }: Ledger): ReadonlyMap<string, string> =>
  new Map(entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))

const passedIn = ({ entries }: Ledger, family: string): readonly string[] =>
  entries.flatMap(({ obligation, verdict }) =>
    obligation.family === family && verdict.kind === 'passed' ? [obligation.id] : [],
  )

test.each([true, false])(
  'a short run passes nothing that a whole one fails (a server that says what is wrong: %s)',
  async isListing => {
    const whole = verdicts((await run({ ms: 0, isListing })).ledger)
    const short = await run({ ms: 12, isListing, seconds: 6 })
    const accepted = passedIn(short.ledger, 'accept')
    const rejected = passedIn(short.ledger, 'reject')
    for (const id of [...accepted, ...rejected]) expect(`${id}: ${whole.get(id)}`).toBe(`${id}: passed`)
    expect(accepted.length + rejected.length).toBeGreaterThan(short.requests)
    if (isListing) expect(rejected.filter(id => id.includes('/type/')).length).toBeGreaterThan(30)
  },
)
