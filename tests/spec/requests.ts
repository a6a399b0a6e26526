import {
  type Contract,
  createRequestJudge,
  createRouter,
  type Headers,
  type RequestJudgement,
  type Tokens,
} from '../../spec/index.ts'

/** A request as tests write it. */
export type Sent = {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>> | Headers
  readonly body?: string | Uint8Array | null
}

/** Judges a request by the contract of the operation that it goes to. */
export const judge = (
  contract: Contract,
  { method, target, headers = {}, body = null }: Sent,
  tokens: Tokens = null,
): RequestJudgement => {
  const route = createRouter(contract)(method, target.split('?')[0] ?? '')
  if (route.kind !== 'operation') throw new Error(`${method} ${target} is not declared`)
  return createRequestJudge(contract, route.operation)(
    {
      target,
      headers: Array.isArray(headers) ? headers : Object.entries(headers),
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
      path: route.path,
    },
    tokens,
  )
}

/** The obligations that a request violates. */
export const ids = (contract: Contract, sent: Sent, tokens: Tokens = null): readonly string[] =>
  judge(contract, sent, tokens).violations.map(({ id }) => id)

export const json = { 'Content-Type': 'application/json' }
export const bearer = { Authorization: 'Bearer right' }
