import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { verify } from '../../conformance/index.ts'
import {
  type Answer,
  type Contract,
  type Expectation,
  fillToken,
  type Headers,
  type Operation,
  recordedBytes,
} from '../../spec/index.ts'
import { startMock } from './ask.ts'

/** One request of the suite's own making, with what the mock and prism-http answer to it. */
export type Pair = {
  readonly operation: Operation
  /** The obligation that it was made for. */
  readonly obligation: string
  readonly expected: Expectation
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly mock: Answer
  /** What prism-http gives; where it gives a problem of its own, that, and where it throws, a text. */
  readonly prism: Answer | { readonly problem: number; readonly title: string } | { readonly thrown: string }
}

/** What `verify` sends to a mock, with the mock's answers over HTTP, and those that prism-http gives. */
export const pairsOf = async (contract: Contract, cases: number): Promise<readonly Pair[]> => {
  const isBasic = contract.operations.some(({ security }) =>
    security.flat().some(({ kind }) => kind === 'basic'),
  )
  const token = isBasic ? 'user:right-token' : 'right-token'
  const mock = await startMock({ contract, tokens: [token] })
  const { exchanges } = await verify({ target: mock.url, contract, token, cases, seed: 7 })
  const ask = await prismOf(contract)
  const pairs: Pair[] = []
  for (const { obligation, expected, request, outcome } of exchanges) {
    const operation = contract.operations.find(({ id }) => obligation.startsWith(`${id}/`))
    if (outcome.kind !== 'answer' || operation === undefined || request.raw !== undefined) continue
    const body = request.body === null ? null : recordedBytes(request.body)
    const answered = recordedBytes(outcome.body)
    if ((body === null && request.body !== null) || answered === null) continue
    const asked = {
      operation,
      obligation,
      expected,
      method: request.method,
      target: fillToken(request.target, token),
      headers: request.headers.map(([name, value]) => [name, fillToken(value, token)] as const),
      body,
    }
    const answer = { status: outcome.status, headers: outcome.headers, body: answered }
    pairs.push({ ...asked, mock: answer, prism: await ask(asked) })
  }
  return pairs
}

type Asked = Pick<Pair, 'method' | 'target' | 'headers' | 'body'>

const prismOf = async (contract: Contract): Promise<(asked: Asked) => Promise<Pair['prism']>> => {
  const operations = await getHttpOperationsFromSpec(contract.source)
  return async ({ method, target, headers, body }) => {
    const config = {
      isProxy: false as const,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    }
    const [path = '/', query = ''] = target.split('?')
    const given: Record<string, string> = {}
    for (const [name, value] of headers) {
      const known = given[name.toLowerCase()]
      given[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
    }
    if (body !== null) given['content-length'] = String(body.length)
    try {
      const result = await createInstance(config, { logger: silent as never }).request(
        {
          method: method.toLowerCase() as 'get',
          url: { path, query: queryOf(query) },
          headers: given,
          body: bodyOf(given['content-type'], body),
        },
        operations,
        config,
      )()
      if (result._tag === 'Left') {
        const { status, name } = result.left as { readonly status?: number; readonly name: string }
        return { problem: status ?? 500, title: name }
      }
      const { statusCode, headers: own = {}, body: value } = result.right.output
      const text =
        value === undefined ? '' : typeof value === 'string' && !isJson(own) ? value : JSON.stringify(value)
      return {
        status: statusCode,
        headers: Object.entries(own).map(([name, each]) => [name, String(each)] as const),
        body: new TextEncoder().encode(text),
      }
    } catch (error) {
      return { thrown: (error as Error).message }
    }
  }
}

const isJson = (headers: Readonly<Record<string, unknown>>): boolean =>
  /json/.test(String(headers['Content-type'] ?? headers['content-type'] ?? ''))

const queryOf = (query: string): Record<string, string | string[]> => {
  const values: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values[name]
    values[name] = known === undefined ? value : [known, value].flat()
  }
  return values
}

// As its server does: JSON is parsed, all else is text. Where it is no JSON the server answers without prism-http.
const bodyOf = (type: string | undefined, body: Uint8Array | null): unknown => {
  if (body === null) return undefined
  const text = Buffer.from(body).toString()
  if (!/json/i.test(type ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// Prism asks of its logger that it can make children and tell of success.
const ignore = (): void => {}
const silent = {
  success: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  child: () => silent,
}
