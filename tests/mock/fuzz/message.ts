import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { renderRequest } from '../../../conformance/cases/render.ts'
import { plainSpecs } from '../../../conformance/cases/strategies/index.ts'
import { type Contract, fillToken, type Headers, type Operation } from '../../../spec/index.ts'

/** A request before it is written as bytes. */
export type Message = {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: Headers
  readonly body: Buffer | null
  /** Sizes of chunks, used in turn; null: the request has a Content-Length. */
  readonly chunks: readonly number[] | null
}

/** Some valid requests of every operation of a contract. */
export const validMessages = (contract: Contract, token: string, each: number): readonly Message[] =>
  contract.operations.flatMap(operation => ofOperation(contract, operation, token, each))

const ofOperation = (
  contract: Contract,
  operation: Operation,
  token: string,
  each: number,
): readonly Message[] => {
  const model = createOperationModel(contract, operation)
  if (model.unsupported !== null) return []
  const values = createRandomValues(model, 1)
  const draft = plainSpecs({
    model,
    identities: null,
    seed: 1,
    isTokenKnown: false,
    isForwarded: false,
    values,
  })
  return Array.from({ length: each }, (_, number) => {
    const { method, target, headers, body } = renderRequest(operation, draft(number + 1))
    return {
      method,
      target: fillToken(target, token),
      version: 'HTTP/1.1',
      headers: [
        ['Host', 'mock.test'],
        ...headers.map(([name, value]) => [name, fillToken(value, token)] as const),
      ],
      body: body === null ? null : Buffer.from(body),
      chunks: null,
    }
  })
}

/** The bytes of a message; its body is framed correctly, whatever else is wrong with it. */
export const bytesOf = ({ method, target, version, headers, body, chunks }: Message): Buffer => {
  const framing =
    body === null ? [] : chunks === null ? [`Content-Length: ${body.length}`] : ['Transfer-Encoding: chunked']
  const lines = [
    `${method} ${target} ${version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...framing,
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (body === null) return head
  return Buffer.concat([head, chunks === null ? body : chunked(body, chunks)])
}

const chunked = (body: Buffer, sizes: readonly number[]): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const part = body.subarray(at, at + Math.max(1, sizes[turn % sizes.length] ?? 1))
    // Chunk extensions and trailer fields are part of the grammar, and have no meaning here (RFC 9112, 7.1).
    const extension = turn % 3 === 1 ? ';a=b;c="d;e"' : ''
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'))
    at += part.length
  }
  return Buffer.concat([
    ...parts,
    Buffer.from(sizes.length % 2 === 0 ? '0\r\n\r\n' : '0\r\nX-Sum: 1\r\n\r\n'),
  ])
}
