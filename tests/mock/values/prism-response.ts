import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { verify } from '../../../conformance/index.ts'
import { silentLogger } from '../../../mock/values/prism.ts'
import {
  type Contract,
  type Expectation,
  fillToken,
  type Headers,
  type HttpResponse,
  type Operation,
  recordedBytes,
} from '../../../spec/index.ts'
import { startMock } from '../client.ts'

/** A request that the suite made, with the responses of the mock and of prism-http. */
export type Pair = {
  readonly operation: Operation
  /** The obligation that it is for. */
  readonly obligation: string
  readonly expectation: Expectation
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly mock: HttpResponse
  /** The response of prism-http, a problem of its own, or the message of what it throws. */
  readonly prism:
    | HttpResponse
    | { readonly problem: number; readonly title: string }
    | { readonly thrown: string }
}

/** The requests that `verify` sends to a mock, with the mock's responses over HTTP and those of prism-http. */
export const pairsOf = async (contract: Contract, cases: number): Promise<readonly Pair[]> => {
  const isBasic = contract.operations.some(({ security }) =>
    security.flat().some(({ kind }) => kind === 'basic'),
  )
  const token = isBasic ? 'user:right-token' : 'right-token'
  const mock = await startMock({ contract, tokens: [token] })
  const { exchanges } = await verify({ target: mock.url, contract, token, cases, seed: 7, sustained: 0 })
  const prismResponseTo = await prismOf(contract)
  const pairs: Pair[] = []
  for (const { obligation, expectation, request, outcome } of exchanges) {
    const operation = contract.operations.find(({ id }) => obligation.startsWith(`${id}/`))
    if (outcome.kind !== 'response' || operation === undefined || request.raw !== undefined) continue
    const body = request.body === null ? null : recordedBytes(request.body)
    const responseBody = recordedBytes(outcome.body)
    if ((body === null && request.body !== null) || responseBody === null) continue
    const sent = {
      operation,
      obligation,
      expectation,
      method: request.method,
      target: fillToken(request.target, token),
      headers: request.headers.map(([name, value]) => [name, fillToken(value, token)] as const),
      body,
    }
    const response = { status: outcome.status, headers: outcome.headers, body: responseBody }
    pairs.push({ ...sent, mock: response, prism: await prismResponseTo(sent) })
  }
  return pairs
}

type PrismRequest = Pick<Pair, 'method' | 'target' | 'headers' | 'body'>

const prismOf = async (contract: Contract): Promise<(request: PrismRequest) => Promise<Pair['prism']>> => {
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
    const fields: Record<string, string> = {}
    for (const [name, value] of headers) {
      const known = fields[name.toLowerCase()]
      fields[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
    }
    if (body !== null) fields['content-length'] = String(body.length)
    try {
      const result = await createInstance(config, { logger: silentLogger as never }).request(
        {
          method: method.toLowerCase() as 'get',
          url: { path, query: queryOf(query) },
          headers: fields,
          body: bodyOf(fields['content-type'], body),
        },
        operations,
        config,
      )()
      if (result._tag === 'Left') {
        const { status, name } = result.left as { readonly status?: number; readonly name: string }
        return { problem: status ?? 500, title: name }
      }
      const { statusCode, headers: prismHeaders = {}, body: value } = result.right.output
      const text =
        value === undefined
          ? ''
          : typeof value === 'string' && !isJson(prismHeaders)
            ? value
            : JSON.stringify(value)
      return {
        status: statusCode,
        headers: Object.entries(prismHeaders).map(([name, each]) => [name, String(each)] as const),
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

// As Prism's server does: JSON is parsed, anything else is text.
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
