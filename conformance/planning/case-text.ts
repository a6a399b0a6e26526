/** Test cases as text, from the thread that plans them to the one that sends them. */
import {
  type CredentialKind,
  credentialKinds,
  type HttpRequest,
  type Json,
  type Obligation,
  type Operation,
  parseJson,
  testedScheme,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'

/** Some cases of a plan. `bytes`: the bodies of their requests, one after the other. */
export type CaseBatch = { readonly text: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** As much as these, as a case has no more than it needs. `length`: of the body in bytes, -1 for none. */
type Row = readonly [
  number: number,
  obligation: number,
  rest: Pick<TestCase, 'expectation' | 'cause' | 'precondition'>,
  request: Omit<HttpRequest, 'body'>,
  length: number,
  spec: string,
]

/** `indexOf`: the place of an obligation in a list that both threads have. */
export const writeCases = (
  cases: readonly TestCase[],
  indexOf: (obligation: Obligation) => number,
): CaseBatch => {
  const bodies = cases.flatMap(({ request }) => request.body ?? [])
  const bytes = new Uint8Array(bodies.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.length
  }
  const rows = cases.map((testCase): Row => {
    const { number, obligation, expectation, cause, precondition, spec } = testCase
    const { body, ...request } = testCase.request
    const rest = { expectation, cause, precondition }
    return [number, indexOf(obligation), rest, request, body?.length ?? -1, specText(spec)]
  })
  return { text: JSON.stringify(rows), bytes }
}

/** The cases of a batch; each reads its spec when it is first asked for, as most never are. */
export function* readCases(
  { text, bytes }: CaseBatch,
  obligations: readonly Obligation[],
  operationOf: (obligation: Obligation) => Operation,
): Generator<TestCase> {
  let at = 0
  for (const [number, index, rest, request, length, written] of JSON.parse(text) as readonly Row[]) {
    const obligation = obligations[index] as Obligation
    const body = length < 0 ? null : bytes.subarray(at, at + length)
    at += Math.max(0, length)
    let spec: RequestSpec | null = null
    yield {
      number,
      obligation,
      ...rest,
      request: { ...request, body },
      get spec() {
        spec ??= readSpec(written, operationOf(obligation))
        return spec
      },
    }
  }
}

const specText = ({ credentials, body, ...spec }: RequestSpec): string => {
  const kind = credentials === null ? null : { name: credentials.kind.name, pick: credentials.pick }
  const rest = { ...spec, credentials: kind, ...(body === undefined ? {} : { body }) }
  return writeJson(rest as unknown as Json)
}

const readSpec = (text: string, operation: Operation): RequestSpec => {
  const { credentials, ...spec } = parseJson(text) as unknown as Omit<RequestSpec, 'credentials'> & {
    readonly credentials: { readonly name: string; readonly pick: number } | null
  }
  return {
    ...spec,
    body: spec.body,
    credentials:
      credentials === null ? null : { kind: kindOf(operation, credentials.name), pick: credentials.pick },
  }
}

const kindOf = (operation: Operation, name: string): CredentialKind => {
  const scheme = testedScheme({ operation })
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(each => each.name === name)
  if (kind === undefined) throw new Error(`${operation.id} has no credentials of the kind ${name}`)
  return kind
}
